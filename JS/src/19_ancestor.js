// As much of a page as the ancestor's scripts ask for: `window`, and a document whose frames carry the bridge's signals
// (P8, P10). Only with the text transport, where a script may bring its own side of the protocol.
(function (internal) {
    "use strict";

    if (internal.mode !== "text") return;
    const { StringPrototypeToLowerCase, StringPrototypeStartsWith, StringPrototypeSlice, StringPrototypeIncludes, ObjectDefineProperty, String } =
        internal.primordials;
    const global = globalThis;

    // What a URL of a frame means to the bridge; any other is nobody's here.
    function load(url) {
        const text = StringPrototypeToLowerCase(String(url));
        const scheme = StringPrototypeStartsWith(text, "https://") ? 8 : StringPrototypeStartsWith(text, "wvjbscheme://") ? 13 : 0;
        if (scheme === 0) return;
        let host = StringPrototypeSlice(text, scheme);
        for (let end = 0; end < host.length; end++) {
            if (StringPrototypeIncludes("/?#:", host[end])) { host = StringPrototypeSlice(host, 0, end); break; }
        }
        if (host === "__wvjb_queue_message__") internal.signal();
        else if (host === "__bridge_loaded__") internal.bridgeLoaded();
    }

    // A frame loads when it is put into the document, and again whenever its address is set there.
    class Element {
        #isAttached = false;
        #src = "";
        style = {};

        constructor(tagName) { this.tagName = tagName; }
        get src() { return this.#src; }
        set src(url) {
            this.#src = url;
            if (this.#isAttached) load(url);
        }
        appendChild(child) {
            if (#isAttached in Object(child)) {
                child.#isAttached = true;
                if (child.#src !== "") load(child.#src);
            }
            return child;
        }
        removeChild(child) {
            if (#isAttached in Object(child)) child.#isAttached = false;
            return child;
        }
    }

    const document = {
        documentElement: new Element("HTML"),
        body: new Element("BODY"),
        createElement(tagName) { return new Element(StringPrototypeToLowerCase(String(tagName))); },
    };
    const publish = (name, value) => ObjectDefineProperty(global, name, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
    });
    publish("window", global);
    publish("document", document);
})
