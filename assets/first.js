// In the page itself, for it cannot wait for a slow line: the rest of what Python cannot say yet is in boot.js.
(() => {
  // The policy in the page allows every encrypted WebSocket, for a player may name an endpoint. Where the build knows the
  // host's endpoint, a second policy, which holds beside the first, leaves only that one and the player's.
  const { endpoint } = document.documentElement.dataset;
  const source = (address) => {
    try {
      const { protocol, host } = new URL(address.replace(/^ws(?=s?:)/, "http"), document.baseURI);
      // A policy cannot name a host by its IPv6 address.
      if (host.startsWith("[")) return "wss:";
      return /^[\w.-]+(:\d+)?$/.test(host) ? `${protocol.replace("http", "ws")}//${host}` : "";
    } catch {
      return "";
    }
  };
  if (endpoint) {
    try {
      const own = localStorage.getItem("endpoint") ?? "";
      const policy = document.createElement("meta");
      policy.httpEquiv = "Content-Security-Policy";
      policy.content = `connect-src 'self' ${source(endpoint)} ${own && source(own)}`;
      policy.dataset.own = own;
      document.head.append(policy);
    } catch {
      // A browser that keeps nothing could never load the page again with an endpoint of the player's.
    }
  }

  // The light a person chose, before the first paint where the browser lets us know it.
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "night" || theme === "day") document.documentElement.dataset.theme = theme;
  } catch {
    // A browser that keeps nothing: the device's light.
  }

  // What is said before Python is awake, in the language it will speak: the one chosen last, else the browser's first
  // that we have.
  const first = document.getElementById("words");
  const words = JSON.parse(first.textContent);
  const tongues = [...navigator.languages];
  try {
    tongues.unshift(localStorage.getItem("language"));
  } catch {
    // the browser's, then
  }
  const language = tongues.map((tag) => String(tag).toLowerCase().split("-")[0]).find((code) => code === "en" || Object.hasOwn(words, code)) ?? "en";
  // All its texts are what Python asks for first; on a slow line they are there by then.
  const texts = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous" });
  texts.href = `${first.dataset.texts}${language}.mo`;
  document.head.append(texts);
  if (Object.hasOwn(words, language)) {
    const told = words[language];
    for (const each of document.querySelectorAll("[data-word]")) [each.lang, each.textContent] = [language, told[each.dataset.word]];
    for (const each of document.querySelectorAll("[data-label]")) each.ariaLabel = told[each.dataset.label];
    for (const each of document.querySelectorAll("#app .soon")) each.textContent = told["lobby.soon"];
  }

  // Puts the symbols of a file of drawings into the page, once, for every <use href="#file/symbol">: a <use> that names
  // the file itself may parse all of it again. They come after the first paint; a file that does not arrive is fetched
  // again later.
  const drawings = document.getElementById("drawings");
  const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const add = async (file, priority, pause = 1000) => {
    try {
      const answer = await fetch(file, { priority });
      const text = await answer.text();
      await painted;
      const sheet = new DOMParser().parseFromString(text, "image/svg+xml");
      if (!answer.ok || sheet.querySelector("parsererror")) throw new Error(file);
      drawings.append(...sheet.documentElement.children);
    } catch {
      setTimeout(add, pause, file, priority, Math.min(2 * pause, 60000));
    }
  };
  const added = new Set();
  globalThis.addDrawings = (file, priority = "auto") => {
    if (!added.has(file)) add(file, priority);
    added.add(file);
  };
  addDrawings(drawings.dataset.file, "low");

  // A button that is pressed before Python is awake is remembered; of several the last. Python carries it out (Page.choices).
  document.getElementById("app").addEventListener("click", ({ currentTarget, target }) => {
    const pressed = target.closest("button[data-do]");
    if (!pressed || currentTarget.hasAttribute("data-awake")) return;
    currentTarget.querySelector("[aria-busy]")?.removeAttribute("aria-busy");
    pressed.setAttribute("aria-busy", "true");
  });
})();
