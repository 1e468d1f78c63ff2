/// What crosses in the cases of structures: two texts, two numbers, a boolean.
struct Message: Codable, Sendable {
    var id: Int
    var method: String
    var channel: String
    var priority: Double
    var isUrgent: Bool

    /// The message of one operation.
    init(index: Int) {
        id = index
        method = "contacts.update"
        channel = "main"
        priority = 0.5
        isUrgent = index.isMultiple(of: 2)
    }

    /// What a handler in Swift answers: every field takes part.
    ///
    /// ``answerScript`` is the same in JavaScript.
    var answer: Message {
        var answer = self
        answer.id += 1
        answer.method = channel
        answer.channel = method
        answer.priority *= 2
        answer.isUrgent.toggle()
        return answer
    }

    /// A script that is a function of a message and gives its answer.
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

    /// A script that calls a handler with messages and adds up the checksums of its answers.
    static let loopScript = """
        (function (handler, from, to) {
            let sum = 0;
            for (let index = from; index < to; index++) {
                const answer = handler({
                    id: index,
                    method: "contacts.update",
                    channel: "main",
                    priority: 0.5,
                    isUrgent: index % 2 === 0,
                });
                sum += answer.id + 2 * answer.method.length + 3 * answer.channel.length + answer.priority
                    + (answer.isUrgent ? 1 : 0);
            }
            return sum;
        })
        """

    /// A number that depends on every field.
    var checksum: Double {
        Double(id + 2 * method.utf8.count + 3 * channel.utf8.count) + priority + (isUrgent ? 1 : 0)
    }

    /// The sum of the checksums of the answers to so many messages.
    static func answerChecksum(_ count: Int) -> Double {
        (0..<count).reduce(0) { $0 + Message(index: $1).answer.checksum }
    }
}
