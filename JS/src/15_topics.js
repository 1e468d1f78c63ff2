// Events: what one side tells whoever listens. They cross only while somebody on the other side does.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { SafeMap, TypeError } = internal.primordials;
    const { reportError, enterOrigin } = internal;
    const { bridge } = internal;
    const { isDirect, counts, control, controls, beginning, checkName, request } = bridge;

    // By topic: the listeners of this side, in their order, and how many events it has seen.
    const topics = new SafeMap();
    // By topic: how many events the other side was told, while it listens.
    const heard = new SafeMap();

    function checkListener(listener) {
        if (typeof listener !== "function") {
            const kind = listener === null ? "null" : typeof listener;
            throw new TypeError("A listener is a function, not " + kind + ".");
        }
    }

    let lastListener = 0;

    // The same listener twice is one, as everywhere.
    function on(name, listener, isOnce) {
        checkName(name);
        checkListener(listener);
        let topic = topics.get(name);
        if (topic === undefined) {
            topic = { first: null, last: null, nodes: new SafeMap() };
            topics.set(name, topic);
            if (internal.listening !== undefined) internal.listening(1);
            // A peer that knows no events could do nothing with it; it is told when it shows that it does.
            if (bridge.peerIsExtended) control(controls.subscribe, name, 0, undefined);
        }
        if (topic.nodes.has(listener)) return;
        const node = { listener, isOnce, isGone: false, number: ++lastListener, previous: topic.last, next: null };
        if (topic.last === null) topic.first = node;
        else topic.last.next = node;
        topic.last = node;
        topic.nodes.set(listener, node);
    }

    function remove(name, topic, node) {
        node.isGone = true;
        topic.nodes.delete(node.listener);
        if (node.previous === null) topic.first = node.next;
        else node.previous.next = node.next;
        if (node.next === null) topic.last = node.previous;
        else node.next.previous = node.previous;
        if (topic.first !== null || topics.get(name) !== topic) return;
        topics.delete(name);
        if (internal.listening !== undefined) internal.listening(-1);
        if (bridge.peerIsExtended) control(controls.unsubscribe, name, 0, undefined);
    }

    function off(name, listener) {
        checkName(name);
        const topic = topics.get(name);
        if (topic === undefined) return;
        if (listener === undefined) {
            while (topic.first !== null) remove(name, topic, topic.first);
            return;
        }
        const node = topic.nodes.get(listener);
        if (node !== undefined) remove(name, topic, node);
    }

    // Listeners run in the order in which they were added; one that is added or removed meanwhile counts from the next on.
    function receiveEvent(name, data) {
        const topic = topics.get(name);
        if (topic === undefined) return;
        enterOrigin(null);
        // By number: the last of them may be taken out of the list meanwhile.
        const last = lastListener;
        for (let node = topic.first; node !== null && node.number <= last; node = node.next) {
            if (!node.isGone) {
                if (node.isOnce) remove(name, topic, node);
                const { listener } = node;
                try { listener(data); } catch (error) { reportError(error); }
            }
        }
    }

    // A peer that knows no events, or does not know that this side does, gets a call without reply, which an ordinary handler of that name takes.
    function emit(name, data) {
        checkName(name);
        if (!bridge.peerListens) {
            if (bridge.peerIsExtended) greet();
            request(name, data, undefined, 0, 0);
            return true;
        }
        const count = heard.get(name);
        if (count === undefined) return false;
        heard.set(name, count + 1);
        control(controls.event, name, count, data);
        return true;
    }

    // What a peer sends that does not know yet whether this side knows events: a call without reply that no handler takes.
    function takePlainEvent(name, data) {
        if (!topics.has(name)) return false;
        receiveEvent(name, data);
        return true;
    }

    // The peer has shown that it knows `x`: it is told what this side listens to.
    function announce() {
        bridge.peerIsExtended = true;
        topics.forEach((topic, name) => { control(controls.subscribe, name, 0, undefined); });
    }

    // So that the peer knows the same of this side (W4): once, where it makes a difference.
    let hasGreeted = isDirect;

    function greet() {
        if (hasGreeted) return;
        hasGreeted = true;
        control(controls.hello, "", 0, undefined);
    }

    // Whether the log knows that there are too many: once, until one is let go.
    let isTold = false;

    function receiveSubscribe(name) {
        if (heard.has(name)) return;
        const maximum = internal.maximumTopics;
        if (maximum === undefined || heard.size < maximum) {
            heard.set(name, 0);
            return;
        }
        counts.droppedMessages++;
        if (isTold) return;
        isTold = true;
        bridge.warn("the other side may listen to " + maximum
            + " topics; it is not told of \"" + beginning(name, 200) + "\", nor of others beyond.");
    }

    function receiveUnsubscribe(name) {
        if (heard.delete(name)) isTold = false;
    }

    bridge.on = on;
    bridge.off = off;
    bridge.emit = emit;
    bridge.announce = announce;
    bridge.greet = greet;
    bridge.takePlainEvent = takePlainEvent;
    bridge.receiveEvent = receiveEvent;
    bridge.receiveSubscribe = receiveSubscribe;
    bridge.receiveUnsubscribe = receiveUnsubscribe;
    bridge.forEachTopic = (body) => { topics.forEach((topic, name) => { body(name); }); };
    internal.topicCount = () => topics.size;
})
