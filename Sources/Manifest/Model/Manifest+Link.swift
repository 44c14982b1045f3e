public import Support

extension Manifest {
  /// An address that opens a place in the app.
  public struct Link: Sendable {
    /// The shape of the address.
    public let path: LinkPath
    /// The steps, which begin with an empty app; a bare node has become `push` or `select`.
    public internal(set) var open: [Step]
    /// Whether every step could be read; if not, some uses of the parameters are unknown.
    let isWhole: Bool
    /// The link waits until an instance of this node lives.
    public internal(set) var needs: NodeReference?
    public let range: SourceRange
  }
}
