// The service worker. It serves the page without a network, and never mixes two versions. The build fills in the next
// two lines: this version, and all its files with their hashes. All files except the page itself have a hash in their
// names, so an older version that is still open in another tab keeps finding its own files.
const VERSION = "";
const FILES = {};

const CACHE = "speakeasy";
const HOME = "./";
const NAMED_BY_CONTENT = /-[0-9a-f]{8}[./]/;

const scope = new URL(registration.scope);
const address = (name) => new URL(name, scope).href;
const key = (name) => (NAMED_BY_CONTENT.test(name) ? address(name) : `${address(name)}?${VERSION}`);

// Returns a file with the right hash: the copy in the browser's cache, else the host's. A truncated or changed file is
// refused.
async function fetched(name) {
  for (const cache of ["default", "reload"]) {
    try {
      const answer = await fetch(address(name), { cache, integrity: FILES[name] });
      if (answer.ok) return answer;
    } catch {
      // the cached copy is damaged, or there is no network: try the host, then report an error
    }
  }
  throw new Error(`${name} did not arrive as it should`);
}

// Fetches the files that are missing. A version is stored completely or not at all: a failure ends the installation.
async function fill() {
  const cache = await caches.open(CACHE);
  const had = new Set((await cache.keys()).map((request) => request.url));
  const missing = Object.keys(FILES).filter((name) => !had.has(key(name)));
  try {
    for (const name of missing) await cache.put(key(name), await fetched(name));
  } catch (why) {
    if (why.name === "QuotaExceededError") await tell_full(cache, missing);
    throw why;
  }
}

// Called when the quota is used up. Deletes the files just fetched, because half a version is of no use and saved games
// need the room, and tells the open pages.
async function tell_full(cache, missing) {
  for (const name of missing) await cache.delete(key(name));
  for (const page of await clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage("full");
}

// Deletes stored files whose content is damaged, and fetches them again.
async function mend() {
  const cache = await caches.open(CACHE);
  for (const name of Object.keys(FILES)) {
    const kept = await cache.match(key(name));
    if (!kept) continue;
    const sum = await crypto.subtle.digest("SHA-256", await kept.arrayBuffer());
    if (`sha256-${btoa(String.fromCharCode(...new Uint8Array(sum)))}` !== FILES[name]) await cache.delete(key(name));
  }
  await fill();
}

// Deletes files of other versions, unless another version is being installed or another page is open, which may use
// them.
async function tidy() {
  if (registration.waiting || registration.installing) return;
  if ((await clients.matchAll({ type: "window", includeUncontrolled: true })).length > 1) return;
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys(FILES).map(key));
  for (const request of await cache.keys()) {
    if (!wanted.has(request.url)) await cache.delete(request);
  }
}

const TOLD = { go: () => skipWaiting(), mend, tidy };

addEventListener("install", (event) => event.waitUntil(fill()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("message", (event) => {
  const [port] = event.ports;
  const done = Promise.resolve(event.data === "version" ? VERSION : TOLD[event.data]?.());
  event.waitUntil(done.then((said) => port?.postMessage(said ?? ""), (why) => port?.postMessage(String(why))));
});

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(scope.href)) return;
  const name = url.slice(scope.href.length).replace(/[?#].*/, "").replace(/^(index\.html)?$/, HOME);
  if (!(name in FILES) && !NAMED_BY_CONTENT.test(name)) return;
  const kept = caches.open(CACHE).then((cache) => cache.match(key(name)));
  event.respondWith(kept.then((answer) => answer ?? fetch(event.request)));
});
