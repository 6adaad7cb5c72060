// Puts every book of PAGES into a frame as wide as its window, presses keys, and leaves what was shown as JSON in the document.

function step(page, frame) {
  const view = frame.contentWindow;
  const document = frame.contentDocument;
  const sections = [...document.querySelectorAll("section")];
  const shown = [];
  const flat = new Set();
  let overflow = 0;
  const look = () => {
    const seen = [...sections.keys()].filter((number) => sections[number].getClientRects().length > 0);
    shown.push(seen);
    overflow = Math.max(overflow, document.documentElement.scrollWidth - page.width);
    for (const number of seen) {
      const map = sections[number].querySelector("svg");
      if (map && map.getBoundingClientRect().height < 50) flat.add(number);
    }
  };
  const press = (key) => {
    document.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    look();
  };
  look();
  for (let number = 1; number < sections.length; number++) press("ArrowRight");
  press("ArrowLeft");
  press("Escape");
  return { name: page.name, sections: sections.length, shown, overflow, flat_maps: [...flat] };
}

run(step);
