"""Serves the folder site/ on this machine only: python3 serve.py [port]"""

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Handler(SimpleHTTPRequestHandler):
    # Said here, because the system's own table may call a script plain text.
    extensions_map = {
        "": "application/octet-stream",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".json": "application/json; charset=utf-8",
        ".webmanifest": "application/manifest+json; charset=utf-8",
        ".wasm": "application/wasm",
        ".svg": "image/svg+xml",
        ".png": "image/png",
        ".woff2": "font/woff2",
        ".md": "text/markdown; charset=utf-8",
    }

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path):
        self.send_error(404, "Not found")

    def log_message(self, *arguments):
        pass


def main():
    site = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 4173
    for port in range(first, first + 20):
        try:
            server = ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=site))
            break
        except OSError:
            continue
    else:
        sys.exit("No free port was found. Give one: python3 serve.py 8000")
    print(f"Steplight is at http://127.0.0.1:{port}/ (stop with Ctrl+C)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
