"""The browser around a table: WebRTC, WebSocket, WebCrypto, storage, codes and cameras."""
