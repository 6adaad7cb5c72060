// Shows each page in a frame of its own width, and writes what `look` says of it into the document.
async function run(look) {
  const seen = [];
  for (const page of PAGES) {
    const frame = document.createElement("iframe");
    frame.style.cssText = "border:0;height:800px;width:" + page.width + "px";
    const loaded = new Promise((done) => { frame.onload = done; });
    frame.srcdoc = page.html;
    document.body.append(frame);
    await loaded;
    seen.push(look(page, frame));
    frame.remove();
  }
  const result = document.createElement("pre");
  result.id = "measured";
  result.textContent = JSON.stringify(seen);
  document.body.append(result);
}

