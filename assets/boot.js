// Python is not awake yet, so a few small things cannot be said in Python.
(() => {
  // PyScript calls Function("…") once at its start. Our content security policy refuses that, rightly;
  // PyScript does without the result, so the refusal becomes a function that gives back nothing.
  globalThis.Function = new Proxy(Function, {
    apply(target, self, args) {
      try {
        return Reflect.apply(target, self, args);
      } catch {
        return () => undefined;
      }
    },
  });

  // The light a person chose, before the first paint where the browser lets us know it.
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "night" || theme === "day") document.documentElement.dataset.theme = theme;
  } catch {
    // A browser that keeps nothing: the device's light.
  }

  // A start that fails says so in words, with another try, instead of leaving a dead picture behind.
  // Once the table is ready it speaks for itself.
  const failed = (cause) => {
    const note = document.getElementById("boot-failed");
    if (!note || document.querySelector("[data-ready]")) return;
    note.querySelector("[data-cause]").textContent ||= String(cause);
    note.querySelector("button").onclick = () => location.reload();
    note.hidden = false;
  };
  addEventListener("unhandledrejection", (event) => failed(event.reason));
  addEventListener("error", (event) => {
    // a picture or a preload that is missing ends nothing; a script does
    if (event.target === window) failed(event.error ?? event.message);
    else if (event.target.localName === "script") failed(event.target.src);
  }, true);

  // Pyodide only warns on the console when its wasm cannot be fetched or compiled, and waits for ever.
  for (const way of ["instantiate", "instantiateStreaming"]) {
    const real = globalThis.WebAssembly?.[way];
    if (!real) continue;
    WebAssembly[way] = (...given) =>
      real.apply(WebAssembly, given).catch((cause) => {
        failed(cause);
        throw cause;
      });
  }
})();
