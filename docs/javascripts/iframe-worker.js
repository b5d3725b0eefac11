// Browsers start no workers for pages that are read from a folder. The search is one: there it runs in a frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.onmessage = null
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.appendChild(this.frame)
      this.inside = this.frame.contentWindow
      this.heard = event => {
        if (event.source !== this.inside) return
        event.stopImmediatePropagation()
        const told = new MessageEvent("message", { data: event.data })
        this.dispatchEvent(told)
        if (this.onmessage) this.onmessage(told)
      }
      window.addEventListener("message", this.heard)
      this.ready = new Promise(resolve => (this.frame.onload = resolve))
      const write = this.inside.document
      write.open()
      write.write(
        "<script>postMessage = data => parent.postMessage(data, '*')\n" +
        "importScripts = (...urls) => urls.reduce((done, url) => done.then(() => new Promise(resolve => {\n" +
        "const script = document.createElement('script'); script.src = url; script.onload = resolve\n" +
        "document.body.appendChild(script) })), Promise.resolve())</" + "script>" +
        "<body><script src=\"" + url + "\"></" + "script>"
      )
      write.close()
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.frame.remove()
      window.removeEventListener("message", this.heard)
    }
  }
}
