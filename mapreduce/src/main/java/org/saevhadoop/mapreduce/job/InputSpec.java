package org.saevhadoop.mapreduce.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.permutation.ExampleSample;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputKeys.Order;

/**
 * The input of a job.
 *
 * @param source the dataset that a conversion reads; null if the job reads its input path
 * @param several the datasets that are read as one, beginning with {@code source}; null if there is
 *     only one
 * @param format the reading keys of the format
 */
public record InputSpec(
    @Nullable SourceReference source,
    @Nullable SeveralSources several,
    ProjectionRequest projection,
    RecordRequest record,
    DTypeRequest dtypes,
    Numbering numbering,
    Settings format) {
  /**
   * A dataset that tasks open again.
   *
   * @param path the path, qualified with its file system
   * @param format the name of the class of the format
   * @param staged whether the dataset was staged from a stream
   */
  public record SourceReference(String path, String format, boolean staged) {}

  /**
   * The content and the order of records.
   *
   * @param unit the content of a record
   * @param byLayer whether all examples of a group are read in one layer before the next layer
   * @param columns the order of the columns, as indexes into the table; empty for the table's order
   * @param group the number of examples in a group; splits begin at its multiples
   * @param sample the examples to be read; null for all
   */
  public record RecordRequest(
      RecordSelection.Unit unit,
      boolean byLayer,
      List<Integer> columns,
      long group,
      @Nullable ExampleSample sample) {
    public RecordRequest {
      columns = List.copyOf(columns);
    }

    /** Creates a request for records of all examples. */
    public RecordRequest(
        RecordSelection.Unit unit, boolean byLayer, List<Integer> columns, long group) {
      this(unit, byLayer, columns, group, null);
    }

    /** Returns a copy that is restricted to a sample of the examples. */
    public RecordRequest with(@Nullable ExampleSample other) {
      return new RecordRequest(unit, byLayer, columns, group, other);
    }

    /**
     * Returns the order in which the blocks of a table are read.
     *
     * @throws IllegalArgumentException if the sample was made for another number of examples
     */
    public RecordSelection selection(TableShape table) {
      if (sample != null && sample.examples() != table.examples()) {
        throw new IllegalArgumentException(
            Quote.sentence(
                "sample of %d examples, but there are %d", sample.examples(), table.examples()));
      }
      List<Integer> order = columns.isEmpty() ? BlockOrder.byExample(table).columns() : columns;
      return new RecordSelection(new BlockOrder(byLayer, order), group, unit, sample);
    }

    /**
     * Returns a request for records that are blocks in the order of the files that are written.
     *
     * @param source the table that contains the blocks
     */
    public static RecordRequest inOrderOf(WritePlan files, TableShape source) {
      BlockOrder order = files.order();
      List<Integer> ids = files.table().columnIds();
      Map<Integer, Integer> positions = TableShape.positions(source.columnIds());
      List<Integer> columns =
          order.columns().stream()
              .map(column -> positions.getOrDefault(ids.get(column), -1))
              .toList();
      return blocks(new BlockOrder(order.byLayer(), columns), files.examplesPerShard());
    }

    /** Returns a request for records that are blocks, in the given order and group by group. */
    public static RecordRequest blocks(BlockOrder order, long group) {
      return new RecordRequest(RecordSelection.Unit.BLOCK, order.byLayer(), order.columns(), group);
    }
  }

  /**
   * Returns the input that settings define.
   *
   * @throws SettingException if settings are mutually exclusive
   */
  public static InputSpec of(Settings settings, Collection<? extends SettingKey<?>> formatKeys) {
    checkRecord(settings);
    String path = settings.get(ConversionKeys.SOURCE);
    return new InputSpec(
        path == null
            ? null
            : new SourceReference(
                path,
                settings.get(ConversionKeys.SOURCE_FORMAT),
                settings.get(ConversionKeys.SOURCE_STAGED)),
        settings.get(CombineKeys.SOURCES),
        new ProjectionRequest(
            settings.get(InputKeys.LAYERS).orElse(null),
            settings.get(InputKeys.EXAMPLES).orElse(null),
            settings.get(InputKeys.LIMIT),
            settings.get(InputKeys.TOKENS)),
        new RecordRequest(
            settings.get(InputKeys.RECORD),
            settings.get(InputKeys.ORDER) == Order.LAYER,
            settings.get(ConversionKeys.COLUMNS),
            settings.get(InputKeys.GROUP),
            settings.get(ConversionKeys.SAMPLE).orElse(null)),
        DTypeRequest.of(settings),
        settings.get(InputKeys.NUMBERING),
        settings.only(formatKeys));
  }

  private static void checkRecord(Settings settings) {
    if (settings.get(InputKeys.ORDER) == Order.LAYER
        && settings.get(InputKeys.RECORD) == RecordSelection.Unit.EXAMPLE) {
      throw new SettingException(
          "%s is layer: records of whole examples cannot be read layer by layer (expected %s=block or vector)"
              .formatted(settings.nameOf(InputKeys.ORDER), InputKeys.RECORD));
    }
  }

  /**
   * Reads the input that a job's configuration defines.
   *
   * @throws SettingException if a value is invalid
   */
  public static InputSpec fromConf(
      Configuration conf, Collection<? extends SettingKey<?>> formatKeys) {
    List<SettingKey<?>> keys = new ArrayList<>(InputKeys.all());
    keys.addAll(ConversionKeys.all());
    keys.add(CombineKeys.SOURCES);
    keys.addAll(formatKeys);
    return of(ConfSettings.read(conf, keys), formatKeys);
  }

  /**
   * Writes this input to a job's configuration, and replaces any input that the configuration
   * defined.
   */
  public void toConf(Configuration conf) {
    InputKeys.all().forEach(key -> conf.unset(key.name()));
    ConversionKeys.source().forEach(key -> conf.unset(key.name()));
    CombineKeys.ofTasks().forEach(key -> conf.unset(key.name()));
    ConfSettings.write(toSettings(), conf);
  }

  /** Returns the settings that define this input. */
  public Settings toSettings() {
    Settings settings =
        dtypes
            .toSettings()
            .with(InputKeys.LAYERS, Optional.ofNullable(projection.layers()))
            .with(InputKeys.EXAMPLES, Optional.ofNullable(projection.examples()))
            .with(InputKeys.LIMIT, projection.limit())
            .with(InputKeys.TOKENS, projection.tokens())
            .with(InputKeys.RECORD, record.unit)
            .with(InputKeys.ORDER, record.byLayer ? Order.LAYER : Order.EXAMPLE)
            .with(ConversionKeys.COLUMNS, record.columns)
            .with(InputKeys.GROUP, record.group)
            .with(ConversionKeys.SAMPLE, Optional.ofNullable(record.sample))
            .with(InputKeys.NUMBERING, numbering)
            .and(format);
    if (several != null) {
      settings = settings.with(CombineKeys.SOURCES, several);
    }
    return source == null
        ? settings
        : settings
            .with(ConversionKeys.SOURCE, source.path)
            .with(ConversionKeys.SOURCE_FORMAT, source.format)
            .with(ConversionKeys.SOURCE_STAGED, source.staged);
  }

  /** Returns a copy with other records. */
  public InputSpec with(RecordRequest other) {
    return new InputSpec(source, several, projection, other, dtypes, numbering, format);
  }

  /** Returns a copy with another source as its only source. */
  public InputSpec with(SourceReference other) {
    return new InputSpec(other, null, projection, record, dtypes, numbering, format);
  }

  /** Returns a copy with several sources. */
  public InputSpec with(SeveralSources others) {
    SourceReference first = others.sources().get(0).reference();
    return new InputSpec(first, others, projection, record, dtypes, numbering, format);
  }

  /** Returns a copy with other value types. */
  public InputSpec with(DTypeRequest other) {
    return new InputSpec(source, several, projection, record, other, numbering, format);
  }

  /** Returns a copy with another numbering of examples and tokens. */
  public InputSpec with(Numbering other) {
    return new InputSpec(source, several, projection, record, dtypes, other, format);
  }

  /** Returns a copy with other reading keys of the format. */
  public InputSpec withFormat(Settings other) {
    return new InputSpec(source, several, projection, record, dtypes, numbering, other);
  }

  /** Returns a copy with another projection. */
  public InputSpec with(ProjectionRequest other) {
    return new InputSpec(source, several, other, record, dtypes, numbering, format);
  }
}
