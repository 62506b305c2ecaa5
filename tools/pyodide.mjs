// Runs one Python script inside the Pyodide that the page ships:
//   node tools/pyodide.mjs PYODIDE_DIR SCRIPT HOST_DIR [ARGUMENT...]
// HOST_DIR is mounted at /host. The build uses this so that byte code and archives are made by the same
// interpreter and zlib that read them, with the same bytes on every machine.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [dir, script, host, ...args] = process.argv.slice(2);
const home = resolve(dir);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
const py = await loadPyodide({ indexURL: `${home}/`, args: [script, ...args], env });
py.FS.mkdirTree("/host");
py.FS.mount(py.FS.filesystems.NODEFS, { root: resolve(host) }, "/host");
const scope = py.toPy({ __name__: "__main__", ARGUMENTS: args });
try {
  py.runPython(readFileSync(script, "utf8"), { globals: scope, filename: script });
} catch (error) {
  // Only Python's traceback: Node would also print the source line the error passed through, a megabyte long
  console.error(error.message);
  process.exitCode = 1;
}
