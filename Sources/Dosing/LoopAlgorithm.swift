/// The Loop dosing algorithm as a pure function.
///
/// Source: LoopKit/LoopAlgorithm, `LoopAlgorithm.swift`.
public enum LoopAlgorithm {}
