package org.saevhadoop.jobs.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Job;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.verify.VerifiedDataset.KindCount;
import org.saevhadoop.jobs.verify.VerifiedDataset.VerifiedColumn;
import org.saevhadoop.mapreduce.job.InputKeys.Numbering;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;

/** Checks the values of an open dataset in a job. */
final class ContentCheck {
  /** The number of vectors per column up to which vectors are always compared. */
  static final long MAX_COMPARED = 10_000_000;

  /** The maximum number of vectors whose hashes the client of the job compares. */
  private static final long MAX_OF_CLIENT = 4 * MAX_COMPARED;

  /** The number of vectors whose hashes one reducer on a cluster receives. */
  private static final long MAX_OF_REDUCER = 50_000_000;

  private static final int MAX_REDUCERS = 64;

  private final OpenedSource source;
  private final TableDataset dataset;
  private final TableShape table;
  private final boolean activations;
  private final long buckets;
  private final boolean shuffle;

  /**
   * @param duplicates whether vectors are compared even if there are many
   */
  ContentCheck(OpenedSource source, boolean duplicates) {
    this.source = source;
    this.dataset = source.dataset();
    this.table = dataset.table();
    this.activations = dataset instanceof ActivationDataset;
    long vectors = activations ? table.examples() * vectorsOfBlock(0) : 0;
    boolean compares = vectors > 0 && (duplicates || vectors <= MAX_COMPARED);
    this.buckets = compares ? VectorHashes.buckets(vectors) : 0;
    this.shuffle = compares && (duplicates || vectors * table.columns().size() > MAX_OF_CLIENT);
  }

  /** Returns whether vectors are compared with one another. */
  boolean comparesVectors() {
    return buckets > 0;
  }

  FoundParts run(JobRunner runner) throws IOException, InterruptedException {
    return table.examples() == 0
        ? FoundParts.none(table.columns().size())
        : runner.run(job(runner));
  }

  List<DatasetJob<?>> jobs(JobRunner runner) {
    return table.examples() == 0 ? List.of() : List.of(job(runner));
  }

  private DatasetJob<FoundParts> job(JobRunner runner) {
    InputSpec spec = source.spec();
    Settings settings =
        Settings.NONE
            .with(VerifyKeys.COLUMNS, table.columnIds())
            .with(VerifyKeys.VECTORS, activations)
            .with(VerifyKeys.BUCKETS, buckets);
    RecordRequest blocks = new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1);
    DatasetJob.Parts job =
        DatasetJob.step("verify", source.request().source())
            .reading(
                source.input(spec.with(spec.dtypes().orStored()).with(Numbering.SELECTION), blocks))
            .with(settings)
            .bytes(table.examples() * table.exampleBytes())
            .task(VerifyBlocks.class);
    return (shuffle ? job.tasks(tasks -> setShuffle(tasks, runner)) : job)
        .collect(new FoundOutput(table.columns().size(), buckets));
  }

  private void setShuffle(Job tasks, JobRunner runner) {
    tasks.setMapOutputKeyClass(LongWritable.class);
    tasks.setMapOutputValueClass(BytesWritable.class);
    tasks.setReducerClass(FindDuplicates.class);
    long all = buckets * table.columns().size();
    long useful =
        runner.isLocal()
            ? Runtime.getRuntime().availableProcessors()
            : Math.min(MAX_REDUCERS, 1 + all * VectorHashes.BUCKET_VECTORS / MAX_OF_REDUCER);
    tasks.setNumReduceTasks((int) Math.min(all, useful));
  }

  List<VerifiedColumn> columns(FoundParts parts) {
    List<VerifiedColumn> columns = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      ColumnFindings found = parts.columns().get(i);
      SortedMap<String, Long> counts = new TreeMap<>();
      for (ContentError kind : ContentError.values()) {
        if (found.count(kind) > 0) {
          counts.put(kind.name(), found.count(kind));
        }
      }
      Column column = table.columns().get(i);
      columns.add(
          new VerifiedColumn(
              layer(i),
              layer(i) == null ? column.name() : null,
              column.dtype(),
              found.vectors,
              KindCount.of(counts)));
    }
    return columns;
  }

  List<Finding> findings(FoundParts parts) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (ContentError kind : ContentError.values()) {
      for (int i = 0; i < table.columns().size(); i++) {
        for (ColumnFindings.FoundVector found : parts.columns().get(i).listed(kind)) {
          findings.add(finding(kind, i, found));
        }
      }
    }
    return findings;
  }

  private @Nullable Integer layer(int column) {
    return activations ? table.columnIds().get(column) : null;
  }

  private long vectorsOfBlock(int column) {
    List<Long> shape = table.columns().get(column).shape();
    return shape.stream().limit(Math.max(0, shape.size() - 1)).reduce(1L, (a, b) -> a * b);
  }

  private long example(int column, long vector) {
    return dataset.sourceExample(vector / vectorsOfBlock(column));
  }

  private long token(int column, long vector) {
    long token = vector % vectorsOfBlock(column);
    return dataset instanceof ActivationDataset stored ? stored.sourceToken((int) token) : token;
  }

  /**
   * Returns the path of the file that contains a block; the path of the dataset if it was staged.
   */
  private String path(long example, int column) throws IOException {
    return source.staged() == null
        ? dataset.blockPath(example, column)
        : source.request().location().path();
  }

  private Finding finding(ContentError kind, int column, ColumnFindings.FoundVector found)
      throws IOException {
    long example = example(column, found.vector());
    long token = token(column, found.vector());
    String path = path(found.vector() / vectorsOfBlock(column), column);
    String block =
        "example %d, %s"
            .formatted(
                example,
                activations
                    ? "layer " + layer(column)
                    : "column " + Quote.show(table.columns().get(column).name()));
    String vector = "%s, %s %d".formatted(block, activations ? "token" : "vector", token);
    String value = activations ? "dim" : "value";
    FormatException problem =
        switch (kind) {
          case NAN ->
              kind.in(
                  path,
                  "contains NaN, at %s, %s %d (expected finite values)",
                  vector,
                  value,
                  found.detail());
          case INFINITE ->
              kind.in(
                  path,
                  "contains an infinite value, at %s, %s %d (expected finite values)",
                  vector,
                  value,
                  found.detail());
          case ZERO_EXAMPLE -> kind.in(path, "contains only zeros, at %s", block);
          case ZERO_VECTOR ->
              kind.in(
                  path,
                  "contains a vector of zeros, at %s (expected padding at an end of the example)",
                  vector);
          case CONSTANT_VECTOR ->
              kind.in(path, "contains a vector of one repeated value, at %s", vector);
          case DUPLICATE_VECTOR ->
              kind.in(
                  path,
                  "repeats the vector of example %d, token %d, at %s",
                  example(column, found.detail()),
                  token(column, found.detail()),
                  vector);
        };
    boolean whole = kind == ContentError.ZERO_EXAMPLE;
    return Finding.of(kind, problem, example, layer(column), whole ? null : token);
  }
}
