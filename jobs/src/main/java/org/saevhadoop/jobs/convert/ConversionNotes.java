package org.saevhadoop.jobs.convert;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tensor.DTypeConversion;

/**
 * The losses and other changes of a conversion. A run reports each note as a warning when it finds
 * it; a dry run collects them.
 */
final class ConversionNotes {
  private final List<String> losses = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();
  private final Consumer<String> warnings;
  private boolean isNamed = true;

  /**
   * Creates an empty list of notes.
   *
   * @param warnings accepts each note
   */
  ConversionNotes(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /** Notes something that is in the source but not in the result. */
  void loss(String line) {
    losses.add(line);
    warnings.accept(line);
  }

  /** Notes something that is different in the result. */
  void change(String line) {
    changes.add(line);
    warnings.accept(line);
  }

  /** Notes the reason why the name of the dataset is not known before the conversion runs. */
  void leaveUnnamed(String line) {
    changes.add(line);
    isNamed = false;
  }

  /** Returns whether the name of the dataset is known. */
  boolean isNamed() {
    return isNamed;
  }

  List<String> losses() {
    return List.copyOf(losses);
  }

  List<String> changes() {
    return List.copyOf(changes);
  }

  /**
   * Notes the types and the order of the values. A run reports neither of them, because the user
   * has requested the types or they are exact.
   *
   * @param from the shape of the source, with the stored types
   * @param byLayer whether the source is stored layer by layer
   */
  void addValues(TableShape from, boolean byLayer, WritePlan plan) {
    record Types(DType from, DType to) {}
    Set<Types> pairs = new LinkedHashSet<>();
    TableShape to = plan.table();
    for (int i = 0; i < from.columns().size(); i++) {
      pairs.add(new Types(from.columns().get(i).dtype(), to.columns().get(i).dtype()));
    }
    for (Types pair : pairs) {
      String become =
          "values of %s become %s".formatted(pair.from.numpyName(), pair.to.numpyName());
      if (!DTypeConversion.isExact(pair.from, pair.to)) {
        losses.add(become + ", which does not represent all of them");
      } else if (pair.from != pair.to) {
        changes.add(become);
      }
    }
    if (byLayer != plan.order().byLayer() && from.columns().size() > 1) {
      changes.add(
          plan.order().byLayer()
              ? "blocks are stored layer by layer, and no longer example by example"
              : "blocks are stored example by example, and no longer layer by layer");
    }
  }

  /** Notes lines that a run reports as messages, or changes that the user has requested. */
  void addLines(List<String> lines) {
    changes.addAll(lines);
  }
}
