(function () {
  "use strict";
  var phases = document.querySelectorAll("section");
  var choice = document.getElementById("phases");
  var at = -1;
  if (phases.length < 2) return;
  phases.forEach(function (phase, number) {
    choice.add(new Option(phase.title, number));
    phase.removeAttribute("title");
  });
  // A negative number is all of them.
  function show(number) {
    at = Math.min(number, phases.length - 1);
    phases.forEach(function (phase, other) {
      phase.hidden = at >= 0 && other !== at;
    });
    choice.selectedIndex = at;
    try {
      history.replaceState(null, "", at < 0 ? "#" : "#p" + at);
    } catch (error) {
      // A page within another may not change its address.
    }
  }
  function step(by) {
    show(Math.max(0, at + by));
  }
  document.getElementById("earlier").onclick = function () { step(-1); };
  document.getElementById("later").onclick = function () { step(1); };
  document.getElementById("whole").onclick = function () { show(-1); };
  choice.onchange = function () { show(choice.selectedIndex); };
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === choice) return;
    switch (event.key) {
      case "ArrowLeft": step(-1); break;
      case "ArrowRight": step(1); break;
      case "Home": show(0); break;
      case "End": show(phases.length - 1); break;
      case "Escape": show(-1); break;
      default: return;
    }
    event.preventDefault();
  });
  document.getElementById("bar").hidden = false;
  var wanted = /^#p(\d+)$/.exec(location.hash);
  show(wanted ? Number(wanted[1]) : 0);
})();
