internal import DataSources
public import Foundation

/// One change of a section or an item in a batch.
public struct UpdateItem: Sendable, Hashable {
    /// The kind of change.
    public enum Action: Sendable, Hashable {
        /// The item or section was inserted.
        case insert
        /// The item or section was deleted.
        case delete
        /// The item or section was reloaded.
        case reload
        /// The item or section was moved.
        case move
    }

    /// The path before the update; `nil` for an insert.
    ///
    /// The path of a section has one number.
    public let indexPathBeforeUpdate: IndexPath?
    /// The path after the update; `nil` for a delete.
    public let indexPathAfterUpdate: IndexPath?
    /// The kind of change.
    public let updateAction: Action

    init(section old: Int32?, to new: Int32?, _ action: Action) {
        indexPathBeforeUpdate = old.map { IndexPath(index: Int($0)) }
        indexPathAfterUpdate = new.map { IndexPath(index: Int($0)) }
        updateAction = action
    }

    init(item old: ItemPath?, to new: ItemPath?, _ action: Action) {
        indexPathBeforeUpdate = old?.indexPath
        indexPathAfterUpdate = new?.indexPath
        updateAction = action
    }
}
