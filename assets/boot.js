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

  // Where a browser can switch stacks, Pyodide gives every callback of Python's loop a stack of its own and one more
  // turn of the event loop to wait for. Nothing here needs it, and not every browser can: one way for all.
  delete globalThis.WebAssembly?.Suspending;

  // PyScript looks for lists of its own in IndexedDB, of no use here, and never wakes in a browser that keeps nothing.
  // What it opens is empty, and forgets; our own shelf is opened as ever.
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

  // The question gets the focus when a table opens, for screen readers; browsers then draw a ring around it, as long as
  // nobody has touched the screen. Only who has pressed a key, if only while Python woke, is to see that ring.
  addEventListener("keydown", () => document.documentElement.setAttribute("data-keys", ""), { capture: true, once: true });

  // A start that fails says so in words, with another try, instead of leaving a dead picture behind.
  // Once the table is ready it speaks for itself.
  const failed = (cause, why) => {
    const note = document.getElementById("boot-failed");
    if (!note || document.querySelector("[data-ready]")) return;
    why ??= navigator.onLine ? "other" : "offline";
    if (note.hidden) note.querySelector(`[data-why=${why}]`).hidden = false;
    note.querySelector("[data-cause]").textContent ||= String(cause);
    note.querySelector("button").onclick = again;
    note.hidden = false;
  };

  // Another try with sound files: what the browser or the service worker holds may be damaged.
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
    // a picture or a preload that is missing ends nothing; a script does
    if (event.target === window) failed(event.error ?? event.message);
    else if (event.target.localName === "script") failed(event.target.src, navigator.onLine ? "script" : "offline");
  }, true);

  // How much of what Python needs has arrived, in bytes. The last step is Python's own.
  const bar = document.getElementById("waking");
  const sizes = new Map([...document.querySelectorAll("link[data-bytes]")].map((link) => [link.href, Number(link.dataset.bytes)]));
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0) * 1.1;
  new PerformanceObserver((list) => {
    for (const { name, responseEnd } of list.getEntries()) {
      if (responseEnd && sizes.delete(name)) bar.value = 1 - [...sizes.values()].reduce((sum, size) => sum + size, all / 11) / all;
    }
  }).observe({ type: "resource", buffered: true });

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
