package org.saevhadoop.converters.console;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.jobs.source.OpenedSource;

/** The first fields of results about a dataset. */
public record DatasetKeys(String path, String format, @JsonUnwrapped @Nullable ShapeKeys shape) {
  /** Returns the fields for an open dataset. */
  public static DatasetKeys of(OpenedSource source) {
    return new DatasetKeys(
        source.request().location().path(),
        source.request().format().name(),
        ShapeKeys.of(source.dataset()));
  }

  /** The shape of a dataset, or only the number of examples if its columns are not activations. */
  public record ShapeKeys(
      long examples,
      @Nullable List<Integer> layers,
      @Nullable Integer tokens,
      @Nullable Integer dim) {
    public static ShapeKeys of(Geometry shape) {
      return new ShapeKeys(shape.examples(), shape.layers(), shape.tokens(), shape.dim());
    }

    public static ShapeKeys of(TableDataset dataset) {
      return dataset instanceof ActivationDataset activations
          ? of(activations.geometry())
          : ofExamples(dataset.table().examples());
    }

    public static ShapeKeys ofExamples(long examples) {
      return new ShapeKeys(examples, null, null, null);
    }
  }

  /**
   * The value type of a dataset.
   *
   * @param storedDtype the name that the format stores; null if numpy uses the same name
   */
  public record TypeKeys(String dtype, @Nullable String storedDtype) {
    /** Returns the type of activations that a format stores. */
    public static TypeKeys of(Geometry shape, DatasetFormat format) {
      return new TypeKeys(shape.dtype().numpyName(), format.storedName(shape.dtype()));
    }
  }
}
