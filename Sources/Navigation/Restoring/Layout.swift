@_spi(Host) package import AppCore

/// The instances of an app to be restored, and their positions.
///
/// An instance comes after the one above or in which it is placed.
package struct Layout {
  /// The position of an instance; others are identified by their index in ``Layout/entries``.
  package enum Place: Hashable, Sendable {
    /// Above another one, which must be the top of its stack.
    case above(Int)
    /// At the root of a container's tab.
    case tab(of: Int, Int)
    /// At the root of a layer over an instance; `nil` for the root layer.
    case layer(over: Int?)
    /// In the background of a container; `nil` for that of the app.
    case background(of: Int?)
  }

  package enum Origin: Hashable, Sendable {
    case restored
    case made
    /// The instance is already running, and continues with its effects.
    case running
  }

  package struct Entry {
    package let node: Int
    package let arguments: Value
    package let place: Place
    package var origin: Origin
    /// The identifier of an instance that is already running; `nil` for others.
    package var id: InstanceID?
    /// The order in which instances of the same node were presented.
    package let order: UInt64
    /// The index of the instance that presented it, which may come later; `nil` if none did.
    package var presenter: Int?
    package var selectedTab = 0
    /// The feature's state; `nil` for a container, and for an instance that is suspended.
    package var state: InstanceState?

    package init(
      node: Int, arguments: Value, place: Place, origin: Origin, order: UInt64,
      presenter: Int? = nil, state: InstanceState? = nil
    ) {
      self.node = node
      self.arguments = arguments
      self.place = place
      self.origin = origin
      self.order = order
      self.presenter = presenter
      self.state = state
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }
}
