// Puts every page of PAGES into a frame as wide as its window, measures it, and leaves the numbers as JSON in the document.

function color(text) {
  const parts = text.match(/[\d.]+/g).map(Number);
  return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The color below an element's words: that of the nearest element around them which has one.
function ground(view, element) {
  for (let at = element; at; at = at.parentElement) {
    const found = color(view.getComputedStyle(at).backgroundColor);
    if (found.alpha > 0) return found.rgb;
  }
  return [255, 255, 255];
}

function contrast(first, second) {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function measure(page, frame) {
  const view = frame.contentWindow;
  const document = frame.contentDocument;
  const root = document.documentElement;
  const outside = [];
  for (const element of document.body.querySelectorAll("*")) {
    // What can be moved sideways by itself may be wider than the page.
    if (element.parentElement.closest("[style*='overflow-x:auto']")) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.left < -0.5 || box.right > page.width + 0.5)) {
      outside.push(element.tagName + " " + element.textContent.trim().slice(0, 40));
    }
  }
  const pictures = [...document.images].filter((image) => {
    const box = image.getBoundingClientRect();
    return !image.complete || image.naturalWidth === 0 || box.width < 100 || box.height < 1;
  });
  let least = 21;
  let faintest = "";
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const text = words.currentNode.textContent.trim();
    const element = words.currentNode.parentElement;
    if (!text || element.tagName === "STYLE") continue;
    const found = contrast(color(view.getComputedStyle(element).color).rgb, ground(view, element));
    if (found < least) {
      least = found;
      faintest = text.slice(0, 40);
    }
  }
  return {
    name: page.name,
    words: document.body.innerText.split(/\s+/).filter((word) => word).length,
    overflow: Math.max(0, root.scrollWidth - page.width),
    outside,
    picture_widths: [...document.images].map((image) => image.getBoundingClientRect().width),
    pictures_missing: pictures.map((image) => image.alt),
    contrast: least,
    faintest,
    dark: luminance(ground(view, document.body)) < 0.2,
  };
}

run(measure);
