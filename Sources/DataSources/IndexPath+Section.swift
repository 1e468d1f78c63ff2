// UIKit and AppKit add these members on Apple platforms; Foundation alone has none of them.
#if !canImport(UIKit) && !canImport(AppKit)
    public import Foundation

    extension IndexPath {
        /// Creates the path of an item in a section.
        public init(item: Int, section: Int) {
            // Not by an array literal, which would need an allocation for each path.
            self.init(index: section)
            append(item)
        }

        /// Creates the path of a row in a section: the same path as that of an item.
        public init(row: Int, section: Int) { self.init(item: row, section: section) }

        /// The section, or -1 in a path without one.
        public var section: Int {
            get { isEmpty ? -1 : self[0] }
            set { self = IndexPath(item: item, section: newValue) }
        }

        /// The item in its section, or -1 in a path without one.
        public var item: Int {
            get { count > 1 ? self[1] : -1 }
            set { self = IndexPath(item: newValue, section: section) }
        }

        /// The row in its section; the same as ``item``.
        public var row: Int {
            get { item }
            set { item = newValue }
        }
    }
#endif
