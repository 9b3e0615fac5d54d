package org.nd4j.common.primitives;

import java.io.Serializable;
import java.util.Objects;

/** The class of nd4j, as far as it is serialized: name, serialVersionUID and fields. */
public final class Pair<K, V> implements Serializable {
  private static final long serialVersionUID = 119L;

  @SuppressWarnings("serial")
  private final K key;

  @SuppressWarnings("serial")
  private final V value;

  /** Creates a pair. */
  public Pair(K key, V value) {
    this.key = key;
    this.value = value;
  }

  /** Returns the first value. */
  public K getKey() {
    return key;
  }

  /** Returns the second value. */
  public V getValue() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pair<?, ?> pair
        && Objects.equals(key, pair.key)
        && Objects.equals(value, pair.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, value);
  }
}
