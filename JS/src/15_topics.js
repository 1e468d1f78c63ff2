// Events that one side emits to the listeners of the other. They cross only while the other side has a listener.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const { SafeMap, TypeError } = internal.primordials;
    const { reportError, enterOrigin } = internal;
    const { bridge } = internal;
    const { isDirect, counts, control, controls, beginning, checkName, request } = bridge;

    // By topic: the listeners of this side, in their order.
    const topics = new SafeMap();
    // By topic: the number of events that were sent to the other side, while it listens.
    const heard = new SafeMap();

    function checkListener(listener) {
        if (typeof listener !== "function") {
            const kind = listener === null ? "null" : typeof listener;
            throw new TypeError("A listener is a function, not " + kind + ".");
        }
    }

    let lastListener = 0;

    // Adds a listener. Adding the same listener twice adds one.
    function on(name, listener, isOnce) {
        checkName(name);
        checkListener(listener);
        let topic = topics.get(name);
        if (topic === undefined) {
            topic = { first: null, last: null, nodes: new SafeMap() };
            topics.set(name, topic);
            if (internal.listening !== undefined) internal.listening(1);
            // A peer without support for events could not use it; it is sent when the peer shows that it has support.
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

    // Calls the listeners in the order in which they were added. One that is added meanwhile is called from the next
    // event on.
    function receiveEvent(name, data) {
        const topic = topics.get(name);
        if (topic === undefined) return;
        enterOrigin(null);
        // By number, as the last of them may be removed from the list meanwhile.
        const last = lastListener;
        for (let node = topic.first; node !== null && node.number <= last; node = node.next) {
            if (!node.isGone) {
                if (node.isOnce) remove(name, topic, node);
                const { listener } = node;
                try { listener(data); } catch (error) { reportError(error); }
            }
        }
    }

    // Emits an event. A peer without support for events, or without knowledge that this side has it, gets a call
    // without reply, which an ordinary handler of that name receives.
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

    // Handles an event from a peer that does not know yet whether this side supports events: a call without reply and
    // without a handler.
    function takePlainEvent(name, data) {
        if (!topics.has(name)) return false;
        receiveEvent(name, data);
        return true;
    }

    // Sends the topics that this side listens to, after the peer has shown that it supports `x`.
    function announce() {
        bridge.peerIsExtended = true;
        topics.forEach((topic, name) => { control(controls.subscribe, name, 0, undefined); });
    }

    // Whether the peer knows the same of this side (W4). The greeting is sent once, where it makes a difference.
    let hasGreeted = isDirect;

    function greet() {
        if (hasGreeted) return;
        hasGreeted = true;
        control(controls.hello, "", 0, undefined);
    }

    // Whether the limit was logged: once, until a topic is released.
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
            + " topics; it gets no events of \"" + beginning(name, 200) + "\", nor of others beyond.");
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
