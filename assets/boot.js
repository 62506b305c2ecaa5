// Python is not awake yet, so two small things cannot be said in Python.
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

  // A start that fails says so in words, with another try, instead of leaving a dead picture behind.
  // Once the table is ready it speaks for itself.
  const failed = (event) => {
    const note = document.getElementById("boot-failed");
    if (!note || document.querySelector("[data-ready]")) return;
    const cause = event.reason ?? event.error ?? event.target?.src ?? event.target?.href ?? event.message;
    note.querySelector("[data-cause]").textContent = String(cause);
    note.querySelector("button").onclick = () => location.reload();
    note.hidden = false;
  };
  addEventListener("error", failed, true);
  addEventListener("unhandledrejection", failed);
})();
