/// Scripts that send messages of five fields, and process those that arrive.
enum MessageScript {
    /// Functions that create the message of an operation and compute the checksums of a message.
    static let texts = """
        const methods = \(messageMethods), channels = \(messageChannels);
        const messageOf = index => ({
            id: index,
            method: methods[index & 7],
            channel: channels[index & 15],
            priority: 0.5,
            isUrgent: index % 2 === 0,
        });
        const checksumOf = message => message.id + 2 * message.method.length + 3 * message.channel.length
            + message.priority + (message.isUrgent ? 1 : 0);
        """

    /// Returns a script that sends requests to a Swift handler, this many at a time, and adds up the answers in `sum`.
    static func requests(inFlight: Int) -> String {
        """
        {
            \(texts)
            globalThis.sum = 0;
            const loop = async (first, to) => {
                for (let index = first; index < to; index += \(inFlight)) {
                    const answer = await bridge.callHandler("answer", messageOf(index));
                    sum += checksumOf(answer);
                }
            };
            globalThis.run = (from, to) => {
                for (let first = from; first < from + \(inFlight); first++) loop(first, to);
            };
        }
        """
    }

    /// A function that sends synchronous requests to a Swift handler, and adds up the answers in `sum`.
    static let synchronousRequests = """
        {
            \(texts)
            globalThis.sum = 0;
            globalThis.run = (from, to) => {
                for (let index = from; index < to; index++) {
                    sum += checksumOf(bridge.callHandlerSync("answer", messageOf(index)));
                }
            };
        }
        """

    /// A function that sends messages without a reply to Swift.
    static let notifications = """
        {
            \(texts)
            globalThis.run = (from, to) => {
                for (let index = from; index < to; index++) bridge.notify("post", messageOf(index));
            };
        }
        """

    /// Handlers that answer messages, synchronously and by a promise, and add up messages without a reply in `sum`.
    static let handlers = """
        {
            \(texts)
            globalThis.sum = 0;
            const answer = \(Message.answerScript);
            const characters = \(Message.takeOneScript);
            bridge.registerHandler("answer", answer);
            bridge.registerHandler("answerLater", async message => answer(await message));
            bridge.registerHandler("take", message => { sum += characters(message); });
            bridge.registerHandler("items", async function* (count) {
                for (let index = 0; index < count; index++) yield messageOf(index);
            });
        }
        """
}
