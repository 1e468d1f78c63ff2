/// A replacement of the layout that no layout pass has shown yet.
struct LayoutChange {
    /// The layout of the last successful pass.
    let old: CollectionLayout
    /// The views that are displayed meanwhile.
    let views: [ReusableView]
    /// The closure that receives whether the layout was shown.
    var completion: ((Bool) -> Void)?
}
