@_spi(Host) package import AppCore

/// The instances of an app that is to be restored, and their positions.
///
/// An instance comes after the one that it is on or in.
package struct Layout {
  /// The position of an instance; others are identified by their index in ``Layout/entries``.
  package enum Place: Hashable, Sendable {
    /// On another one, which must be the top of its stack.
    case above(Int)
    /// At the root of a container's tab.
    case tab(of: Int, Int)
    /// At the root of a layer; `nil` for the layer that everything else covers.
    case layer(over: Int?)
    /// In the background of a container; `nil` for that of the app.
    case background(of: Int?)
  }

  /// The source of an instance's state.
  package enum Origin: Hashable, Sendable {
    /// The saved state.
    case restored
    /// A new initial state.
    case made
    /// The instance is the one that runs; so do its effects.
    case running
  }

  /// One instance.
  package struct Entry {
    package let node: Int
    package let arguments: Value
    package let place: Place
    package var origin: Origin
    /// The identifier of an instance that runs; `nil` for one that is to be.
    package var id: InstanceID?
    /// Whether the instances of the node that were presented before it are before or after it.
    package let order: UInt64
    /// Who presented it; one that comes later may have.
    package var presenter: Int?
    /// The tab that a container shows.
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
