package org.saevhadoop.format.saev.metadata;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Part of an envelope in {@code data} that records selections: {@code {"selection": ..., <what
 * carries the former data>, "__class__"}}. The former data of a selection of a selection is the
 * envelope of the first selection. Data that itself begins with the key {@code selection} is marked
 * as opaque to distinguish it from such an envelope.
 *
 * @param selections the selections, most recent first
 * @param innermost the envelope without the selections
 */
record SelectionEnvelope(List<SaevSelection> selections, Map<String, Object> innermost) {
  private static final String SELECTION = "selection";
  private static final String DATA = "data";
  private static final String OPAQUE = "opaque";
  private static final String CLASS = "__class__";

  Map<String, Object> json() {
    if (selections.isEmpty()) {
      return innermost;
    }
    Map<String, Object> carrier = new LinkedHashMap<>(innermost);
    if (nested(carrier) != null) {
      Object name = carrier.remove(CLASS);
      carrier.put(OPAQUE, true);
      carrier.put(CLASS, name);
    }
    Map<String, Object> json = carrier;
    for (int i = selections.size() - 1; i >= 0; i--) {
      Map<String, Object> wrapped = new LinkedHashMap<>();
      wrapped.put(SELECTION, selections.get(i).json());
      if (json == carrier) {
        wrapped.putAll(carrier);
      } else {
        wrapped.put(DATA, json);
        wrapped.put(CLASS, innermost.get(CLASS));
      }
      json = wrapped;
    }
    return json;
  }

  /**
   * Splits an object into its leading selections, if any, and the rest. Returns null if the key
   * {@code selection} contains anything but a selection.
   */
  static @Nullable SelectionEnvelope of(Map<?, ?> object) {
    List<SaevSelection> selections = new ArrayList<>();
    Map<String, Object> rest = copy(object);
    while (recordsSelection(rest)) {
      SaevSelection selection = SaevSelection.of(rest.remove(SELECTION));
      if (selection == null) {
        return null;
      }
      selections.add(selection);
      Map<?, ?> nested = nested(rest);
      if (nested != null) {
        rest = copy(nested);
      } else {
        rest.remove(OPAQUE);
        break;
      }
    }
    return new SelectionEnvelope(selections, rest);
  }

  /**
   * Returns the object that would be interpreted as the envelope of an earlier selection, or null
   * if there is none.
   */
  private static @Nullable Map<?, ?> nested(Map<String, Object> carrier) {
    return List.copyOf(carrier.keySet()).equals(List.of(DATA, CLASS))
            && carrier.get(DATA) instanceof Map<?, ?> data
            && recordsSelection(data)
        ? data
        : null;
  }

  private static boolean recordsSelection(Map<?, ?> object) {
    return !object.isEmpty() && object.keySet().iterator().next().equals(SELECTION);
  }

  private static Map<String, Object> copy(Map<?, ?> object) {
    Map<String, Object> copy = new LinkedHashMap<>();
    object.forEach((key, value) -> copy.put((String) key, value));
    return copy;
  }
}
