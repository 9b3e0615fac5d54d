package org.saevhadoop.format.dataset;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.api.PublicApi;

/**
 * Documents that accompany activations; only the format that wrote them interprets them.
 *
 * @param documents an unmodifiable map from keys to documents, as text
 */
@PublicApi
public record Provenance(SortedMap<String, String> documents) {
  /** Key of the JSON object that records how the vectors were normalized, in all formats. */
  public static final String NORMALIZATION = "saev.normalization";

  /** The provenance of a dataset whose format does not record provenance. */
  public static final Provenance NONE = new Provenance(new TreeMap<>());

  public Provenance {
    documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
  }

  /** Returns the document with the given key, if there is one. */
  public Optional<String> document(String key) {
    return Optional.ofNullable(documents.get(key));
  }

  /** Returns these documents and a new one, which replaces any document with the same key. */
  public Provenance with(String key, String text) {
    SortedMap<String, String> more = new TreeMap<>(documents);
    more.put(key, text);
    return new Provenance(more);
  }

  /** Returns these documents except for any document with the given key. */
  public Provenance without(String key) {
    SortedMap<String, String> fewer = new TreeMap<>(documents);
    fewer.remove(key);
    return new Provenance(fewer);
  }
}
