package org.saevhadoop.converters.inspect;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.console.DatasetKeys.ShapeKeys;
import org.saevhadoop.format.combined.CombinedTable;
import org.saevhadoop.format.combined.SourceFacts;
import org.saevhadoop.format.dataset.Activations;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;

/**
 * A report on several datasets that are read as one.
 *
 * @param combined {@code examples} or {@code layers}: the part that each dataset contributes
 */
record SeveralReport(String combined, @JsonUnwrapped Described dataset, List<Source> sources) {
  /**
   * The shape of a dataset.
   *
   * @param dtype the type of activations
   * @param columns the columns, if they are not activations
   */
  record Described(
      @JsonUnwrapped ShapeKeys shape,
      @Nullable Long vectors,
      @Nullable String dtype,
      @Nullable List<String> columns) {
    static Described of(@Nullable Activations activations, TableShape table) {
      if (activations == null) {
        List<String> columns = table.columns().stream().map(Object::toString).toList();
        return new Described(ShapeKeys.ofExamples(table.examples()), null, null, columns);
      }
      Geometry shape = activations.geometry();
      String dtype = shape.dtype().numpyName();
      return new Described(ShapeKeys.of(shape), shape.vectors(), dtype, null);
    }
  }

  record Source(String dataset, String format, @JsonUnwrapped Described shape) {}

  static SeveralReport of(OpenedSource opened) {
    CombinedTable several = (CombinedTable) opened.whole();
    List<SourceRequest> members = opened.request().members();
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      SourceFacts facts = several.facts().get(i);
      sources.add(
          new Source(
              members.get(i).source().shown(),
              members.get(i).format().name(),
              Described.of(facts.activations(), facts.table())));
    }
    return new SeveralReport(
        several.way().name().toLowerCase(Locale.ROOT),
        Described.of(several.described(), several.table()),
        sources);
  }
}
