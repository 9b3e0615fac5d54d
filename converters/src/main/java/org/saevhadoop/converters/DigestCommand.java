package org.saevhadoop.converters;

import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Prints the digest that two datasets share exactly when they hold the same numbers. */
@Command(
    name = "digest",
    description = {
      "Prints one line that is the same for all datasets that hold the same numbers, whatever their"
          + " format: the SHA-256 over the SHA-256 of each block, by example and then by ascending"
          + " layer, and the shape."
    })
final class DigestCommand implements Callable<Integer> {
  @ParentCommand Main main;

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @Mixin SourceOptions sourceOptions;

  @Override
  public Integer call() throws Exception {
    Configuration conf = new Configuration(main.getConf());
    JobRun.prepareLocal(conf);
    sourceOptions.apply(spec.commandLine(), conf);
    Path at = new Path(path);
    try (Source source = Source.open(at, null, conf)) {
      print(source, conf);
    }
    return 0;
  }

  private void print(Source source, Configuration conf) throws Exception {
    ActivationDataset dataset = DatasetFormat.activations(source.dataset(), conf);
    Geometry geometry = dataset.geometry();
    String hex = DigestJob.run(conf, source.path(), source.format(), geometry);
    String layers =
        geometry.layers().stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    main.out()
        .printf(
            "sha256-blocks:%s examples=%d layers=%s tokens=%d dim=%d%n",
            hex, geometry.examples(), layers, geometry.tokens(), geometry.dim());
    main.out().flush();
  }
}
