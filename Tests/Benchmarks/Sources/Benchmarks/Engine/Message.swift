import JavaScriptEngine

/// The message in the cases of structures: two strings, two numbers, a boolean.
protocol MessageFields: Codable, Sendable {
    var id: Int { get set }
    var method: String { get set }
    var channel: String { get set }
    var priority: Double { get set }
    var isUrgent: Bool { get set }

    init(id: Int, method: String, channel: String, priority: Double, isUrgent: Bool)
}

/// The message as plain `Codable`.
struct Message: MessageFields {
    var id: Int
    var method: String
    var channel: String
    var priority: Double
    var isUrgent: Bool
}

/// The message as a type that declares its shape.
struct DeclaredMessage: MessageFields, JSShaped {
    var id: Int
    var method: String
    var channel: String
    var priority: Double
    var isUrgent: Bool
}

extension MessageFields {
    /// Creates the message of one operation.
    ///
    /// The numbers of distinct methods and strings are realistic, with two lengths.
    init(index: Int) {
        self.init(
            id: index,
            method: messageMethods[index & 7],
            channel: messageChannels[index & 15],
            priority: 0.5,
            isUrgent: index.isMultiple(of: 2)
        )
    }

    /// The answer of a Swift handler, which depends on every field.
    ///
    /// ``Message/answerScript`` computes the same in JavaScript.
    var answer: Self {
        var answer = self
        answer.id += 1
        answer.method = channel
        answer.channel = method
        answer.priority *= 2
        answer.isUrgent.toggle()
        return answer
    }

    /// A number that depends on every field.
    var checksum: Double {
        Double(id + 2 * method.utf8.count + 3 * channel.utf8.count) + priority + (isUrgent ? 1 : 0)
    }

    /// A number that depends on every field and on characters of the strings.
    var characterChecksum: Double {
        checksum + Double(method.utf8.first ?? 0) + Double(channel.utf8.last ?? 0)
    }
}

let messageMethods = [
    "contacts.update", "contacts.remove", "contacts.insert", "settings.read", "settings.write",
    "calendar.search", "calendar.update", "log",
]

let messageChannels = (0..<16).map { $0 == 0 ? "main" : "panel-\($0 * 7)" }

extension Message {
    /// Strings for messages in a script, which creates an object for each operation.
    private static let textsScript = """
        const methods = \(messageMethods), channels = \(messageChannels);
        """

    /// A script that is a function from a message to its answer.
    static let answerScript = """
        (function (message) {
            return {
                id: message.id + 1,
                method: message.channel,
                channel: message.method,
                priority: message.priority * 2,
                isUrgent: !message.isUrgent,
            };
        })
        """

    private static func loop(_ work: String) -> String {
        """
        (function (handler, from, to) {
            \(textsScript)
            let sum = 0;
            for (let index = from; index < to; index++) {
                const message = {
                    id: index,
                    method: methods[index & 7],
                    channel: channels[index & 15],
                    priority: 0.5,
                    isUrgent: index % 2 === 0,
                };
                \(work)
            }
            return sum;
        })
        """
    }

    /// A script that calls a handler with messages and adds up the checksums of its answers.
    static let loopScript = loop(
        """
        const answer = handler(message);
        sum += answer.id + 2 * answer.method.length + 3 * answer.channel.length + answer.priority
            + (answer.isUrgent ? 1 : 0);
        """
    )

    /// A script that calls a handler with messages.
    static let postScript = loop("handler(message);")

    private static let sumScript = """
        message.id + 2 * message.method.length + 3 * message.channel.length + message.priority
            + (message.isUrgent ? 1 : 0) + message.method.charCodeAt(0)
            + message.channel.charCodeAt(message.channel.length - 1)
        """

    /// A script that takes one message and returns a number that depends on all of it.
    static let takeOneScript = "(function (message) { return \(sumScript); })"

    /// A script that takes many messages and adds up those numbers.
    static let takeManyScript = """
        (function (messages) {
            let sum = 0;
            for (let index = 0; index < messages.length; index++) {
                const message = messages[index];
                sum += \(sumScript);
            }
            return sum;
        })
        """

    /// Returns the sum of the checksums of the answers to a number of messages.
    static func answerChecksum(_ count: Int) -> Double {
        (0..<count).reduce(0) { $0 + Message(index: $1).answer.checksum }
    }
}
