// What the type checker is told of the pages beyond the DOM's own types.

// A page's script knows its page: which element a selector finds is written in the
// HTML, where the checker does not look.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

// For the tests, which measure the page from outside.
interface Window {
  visionPeer?: RTCPeerConnection;
}
