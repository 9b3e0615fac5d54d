package org.saevhadoop.converters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.jobs.run.DatasetJob;
import org.saevhadoop.jobs.run.JobRunner;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import org.saevhadoop.jobs.task.TaskMapper;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec.RecordRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A verb over any number of sources: the values of each. */
final class SourceCount {
  private SourceCount() {}

  /** Returns the number of values by the index of the source. */
  static SortedMap<Integer, Long> of(List<SourceRequest> sources, JobRunner runner)
      throws IOException, InterruptedException {
    RecordRequest blocks = new RecordRequest(RecordSelection.Unit.BLOCK, false, List.of(), 1);
    SortedMap<Integer, Long> counts = new TreeMap<>();
    for (int i = 0; i < sources.size(); i++) {
      try (OpenedSource dataset = OpenedSource.open(sources.get(i), runner)) {
        DatasetJob.Parts job =
            DatasetJob.step("count", sources.get(i).source())
                .reading(dataset.input(dataset.spec(), blocks))
                .map(() -> CountValues.class);
        int source = i;
        runner.run(
            job.collect(
                records -> {
                  records.forEach((key, count) -> counts.merge(source, count.getLong(), Long::sum));
                  return counts;
                }));
      }
    }
    return counts;
  }

  /** Maps a block to its number of values. */
  static final class CountValues
      extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
    @Override
    protected void map(ActivationKey key, ActivationWritable block, Context context)
        throws IOException, InterruptedException {
      byte[] count = ByteBuffer.allocate(Long.BYTES).putLong(block.values().count()).array();
      TaskMapper.output(context).write(0, count);
    }
  }

  @Command(name = "count", description = "Counts the values of datasets.")
  static final class CountCommand extends SourceCommand {
    @Parameters(arity = "1..*")
    List<String> paths;

    CountCommand(Console console) {
      super(console);
    }

    @Override
    protected List<SettingKey<?>> commonKeys() {
      return InputKeys.projection();
    }

    @Override
    public Integer call() throws Exception {
      checkKeys();
      SourceCount.of(requests(paths), runner())
          .forEach((source, count) -> console.out().println(paths.get(source) + " " + count));
      return 0;
    }
  }
}
