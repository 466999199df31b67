import Synchronization

/// A value that is made when it is first asked for, and then kept.
///
/// The language has hundreds of keys, and a scenario uses few of them: what is said of the others
/// is never made for a run.
package final class Lazy<Value: Sendable>: Sendable {
  private enum State {
    case described(@Sendable () -> Value)
    case made(Value)
  }

  private let state: Mutex<State>

  /// Describes a value, which must not depend on itself.
  package init(_ make: @escaping @Sendable () -> Value) { state = Mutex(.described(make)) }

  /// A value that is there already.
  package init(made value: Value) { state = Mutex(.made(value)) }

  /// The value; it is made under a lock, so that there is one of it.
  package var value: Value {
    state.withLock { state in
      switch state {
      case .made(let value): return value
      case .described(let make):
        let value = make()
        state = .made(value)
        return value
      }
    }
  }
}
