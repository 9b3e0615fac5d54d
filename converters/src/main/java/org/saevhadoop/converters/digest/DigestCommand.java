package org.saevhadoop.converters.digest;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.job.JobRun;
import org.saevhadoop.converters.source.OpenedSource;
import org.saevhadoop.converters.source.SourceCommand;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.mapreduce.conf.SettingKey;
import org.saevhadoop.mapreduce.job.InputKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a digest that two datasets share if and only if they contain the same values. */
@Command(
    name = "digest",
    sortOptions = false,
    description = {
      "Prints one line that is the same for all datasets that hold the same values, whatever their"
          + " format: the SHA-256 over the SHA-256 of each block, by example and then by ascending"
          + " layer, and the shape. A selection has the digest of a dataset that holds what was"
          + " selected."
    })
public final class DigestCommand extends SourceCommand {
  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  public DigestCommand(Console console) {
    super(console);
  }

  @Override
  protected List<SettingKey<?>> commonKeys() {
    return InputKeys.projection();
  }

  @Override
  public Integer call() throws Exception {
    Configuration conf = checkedConf();
    JobRun.prepareLocal(conf);
    try (OpenedSource source = OpenedSource.open(request(path, conf), console)) {
      print(source);
    }
    return 0;
  }

  private void print(OpenedSource source) throws Exception {
    Geometry geometry = source.dataset().requireActivations().geometry();
    String hex = DigestJob.run(source.spec(), source, geometry, console);
    String layers =
        geometry.layers().stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    console
        .out()
        .printf(
            "%s%s examples=%d layers=%s tokens=%d dim=%d%n",
            DigestJob.PREFIX, hex, geometry.examples(), layers, geometry.tokens(), geometry.dim());
    console.out().flush();
  }
}
