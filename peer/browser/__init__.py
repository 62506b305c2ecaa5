"""The browser's side of a table: WebRTC, WebSocket, WebCrypto, storage, QR codes and cameras."""
