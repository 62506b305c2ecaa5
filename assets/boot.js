// What the page needs before Python has started, and so cannot be written in Python.
(() => {
  // PyScript calls Function("…") once at its start. Our content security policy forbids that, rightly. PyScript does
  // not need the result, so instead of the exception it gets a function that returns undefined.
  globalThis.Function = new Proxy(Function, {
    apply(target, self, args) {
      try {
        return Reflect.apply(target, self, args);
      } catch {
        return () => undefined;
      }
    },
  });

  // In browsers with stack switching, Pyodide runs every callback of Python's event loop on a stack of its own, one turn
  // of the event loop later. Nothing here needs that, and not every browser can do it: the same behaviour everywhere.
  delete globalThis.WebAssembly?.Suspending;

  // WebKit rejects fetch, import() and service worker calls with errors that have no stack. Pyodide cannot turn such an
  // error into a Python exception, and whatever awaits it never ends. A stack that every error inherits is enough.
  if (!("stack" in Error.prototype)) Error.prototype.stack = "";

  // Calls a method and returns a promise of the outcome that is never rejected, for peer/browser/promises.py: a promise
  // may also be rejected with something that is no error, or with one that inherits nothing.
  globalThis.settle = async (owner, method, ...given) => {
    try {
      return { refused: false, value: await owner[method](...given) };
    } catch (why) {
      return { refused: true, name: String(why?.name ?? ""), message: String(why?.message ?? why) };
    }
  };
  // Calls a method once for each list of arguments; `settle` calls this too.
  globalThis.callAll = (owner, method, calls) => Promise.all(calls.map((given) => owner[method](...given)));

  // PyScript opens databases of its own in IndexedDB. They are of no use here, and in a browser that refuses storage
  // PyScript would never start. It gets a fake database that is empty and stores nothing; our own are not affected.
  const later = (result) => {
    const request = {};
    setTimeout(() => request.onsuccess?.({ target: { result } }));
    return request;
  };
  const nothing = new Proxy({}, { get: (_, question) => () => later(question === "getAllKeys" ? [] : undefined) });
  const forgetful = { transaction: () => ({ objectStore: () => nothing }), close: () => undefined };
  const open = globalThis.IDBFactory?.prototype.open;
  if (open) {
    IDBFactory.prototype.open = function (name, ...rest) {
      return String(name).startsWith("IDBMap/") ? later(forgetful) : open.call(this, name, ...rest);
    };
  }

  // The question gets the focus when a table opens, for screen readers. Browsers then draw a focus ring around it until
  // the screen is touched. The ring is only for people who have pressed a key, perhaps while Python was starting.
  addEventListener("keydown", () => document.documentElement.setAttribute("data-keys", ""), { capture: true, once: true });

  // Shows that the start has failed, with a button to try again, instead of leaving a page that does not react.
  // Once the page is ready, Python reports errors itself.
  const failed = (cause, why) => {
    const note = document.getElementById("boot-failed");
    if (!note || document.querySelector("[data-ready]")) return;
    why ??= navigator.onLine ? "other" : "offline";
    if (note.hidden) note.querySelector(`[data-why=${why}]`).hidden = false;
    note.querySelector("[data-cause]").textContent ||= String(cause);
    note.querySelector("button").onclick = again;
    note.hidden = false;
  };

  // Tries again with fresh files: those in the browser's cache or in the service worker's may be damaged.
  const again = async (event) => {
    event.target.disabled = true;
    const worker = globalThis.navigator.serviceWorker?.controller;
    if (worker) {
      const { port1, port2 } = new MessageChannel();
      const mended = new Promise((done) => (port1.onmessage = done));
      worker.postMessage("mend", [port2]);
      await Promise.race([mended, new Promise((done) => setTimeout(done, 60000))]);
    } else {
      const named = document.querySelectorAll("link[rel$=preload], script[src]");
      await Promise.allSettled([...named].map((each) => fetch(each.href || each.src, { cache: "reload" })));
    }
    location.reload();
  };
  if (!globalThis.WebAssembly) failed("WebAssembly is missing", "wasm");
  addEventListener("unhandledrejection", (event) => failed(event.reason));
  addEventListener("error", (event) => {
    // a missing picture or preload does not stop the start; a missing script does
    if (event.target === window) failed(event.error ?? event.message);
    else if (event.target.localName === "script") failed(event.target.src, navigator.onLine ? "script" : "offline");
  }, true);

  // The progress bar: the share of the bytes that Python needs which have arrived. The last eleventh is left for
  // Python's own start.
  const bar = document.getElementById("waking");
  const sizes = new Map([...document.querySelectorAll("link[data-bytes]")].map((link) => [link.href, Number(link.dataset.bytes)]));
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0) * 1.1;
  new PerformanceObserver((list) => {
    for (const { name, responseEnd } of list.getEntries()) {
      if (responseEnd && sizes.delete(name)) bar.value = 1 - [...sizes.values()].reduce((sum, size) => sum + size, all / 11) / all;
    }
  }).observe({ type: "resource", buffered: true });

  // If its wasm cannot be fetched or compiled, Pyodide only prints a warning to the console and waits for ever.
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
