// Light, dark, or as the system has it. Runs before the first paint, so it is a classic script in the head.
"use strict";
(() => {
  const key = "openbook:scheme";
  const choices = ["auto", "light", "dark"];
  const read = () => {
    try {
      const kept = localStorage.getItem(key);
      return choices.includes(kept) ? kept : "auto";
    } catch {
      return "auto"; // storage is blocked: the choice then lasts as long as the page
    }
  };
  let scheme = read();
  const apply = () => {
    if (scheme === "auto") delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = scheme;
  };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".scheme-switch");
    if (!button) return;
    const label = button.querySelector("span");
    const names = button.dataset;
    const tell = () => {
      label.textContent = button.title = names.label.replace("{scheme}", names[scheme]);
    };
    button.addEventListener("click", () => {
      scheme = choices[(choices.indexOf(scheme) + 1) % choices.length];
      try {
        localStorage.setItem(key, scheme);
      } catch {
        // as above
      }
      apply();
      tell();
    });
    tell();
    button.hidden = false;
  });
})();
