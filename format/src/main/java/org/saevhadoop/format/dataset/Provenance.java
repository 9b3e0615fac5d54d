package org.saevhadoop.format.dataset;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Texts that travel with activations and that only the format which wrote them understands.
 *
 * @param documents the texts by key; unmodifiable
 */
public record Provenance(SortedMap<String, String> documents) {
  /** Nothing is known. */
  public static final Provenance NONE = new Provenance(new TreeMap<>());

  /** Makes the map its own. */
  public Provenance {
    documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
  }

  /** Returns the text of a key, if there is one. */
  public Optional<String> document(String key) {
    return Optional.ofNullable(documents.get(key));
  }

  /** Returns the same texts with this one, which replaces another one of its key. */
  public Provenance with(String key, String text) {
    SortedMap<String, String> more = new TreeMap<>(documents);
    more.put(key, text);
    return new Provenance(more);
  }

  /** Returns the same texts without that of a key. */
  public Provenance without(String key) {
    SortedMap<String, String> fewer = new TreeMap<>(documents);
    fewer.remove(key);
    return new Provenance(fewer);
  }
}
