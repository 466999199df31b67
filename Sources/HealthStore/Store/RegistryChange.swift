/// One change of a registry, in the form in which a backend keeps it.
public enum RegistryChange: Hashable, Sendable {
  /// How the device is set up.
  case settings(StoreSettings)
  /// A client is registered, or gone.
  case client(number: Int, HealthClient?)
  /// A source is added.
  case source(index: Int, Source)
  /// A revision of a source is added.
  case revision(index: Int, StoreRegistry.RevisionEntry)
  /// A family's permissions for a type.
  case authorization(family: String, ObjectType, Authorization)
  /// The order of sources for a type.
  case priority(StoreRegistry.PriorityEntry)
  /// A fact about the user.
  case characteristic(StoreRegistry.CharacteristicEntry)
  /// The unit in which a type is shown.
  case displayUnit(StoreRegistry.DisplayUnitEntry)
  /// Whether a family may see a document.
  case grant(DocumentGrant)
  /// Forgets what the user decided about documents for a family.
  case forgetGrants(family: String)
  /// A wish to be woken.
  case delivery(BackgroundDelivery)
  /// What a service is subscribed to.
  case subscription(StoreRegistry.SubscriptionEntry)
}
