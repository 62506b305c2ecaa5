"""Tests in a real Chromium, against dist/ in a sub-folder of a plain static server."""
