"""Where the page's Python begins."""

from js import document

root = document.getElementById("app")
root.setAttribute("data-ready", "")
