package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.format.pickleshards.directory.ManifestWriter;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;

/**
 * Writes the metadata.json of pickled shards from the facts that each sink has written next to its
 * shard.
 */
record PickleFinisher(PickleWritePlan plan, ExtractionConfig extraction)
    implements DatasetFinisher {
  /** The name does not begin with an underscore, because some committers do not move such files. */
  private static final String FACTS = ".facts";

  private static final int MAX_FACTS_BYTES = 1 << 20;

  /** Returns the name of the file with the facts of a shard. */
  static String factsName(String shard) {
    return shard + FACTS;
  }

  @Override
  public List<String> workFiles() {
    return LongStream.range(0, plan.shardCount())
        .mapToObj(index -> factsName(plan.shardName(index)))
        .toList();
  }

  @Override
  public List<Document> documents(Folder written) throws IOException {
    List<ShardFacts> shards = new ArrayList<>();
    for (String name : workFiles()) {
      byte[] facts = written.readSmall(name, MAX_FACTS_BYTES);
      shards.add(ShardFacts.parse(written.path(name), facts));
    }
    long samples = plan.geometry().examples();
    String directory = plan.directory();
    String name = directory.substring(directory.lastIndexOf('/') + 1);
    return List.of(
        plan.form().dialect() == Form.SPEC
            ? ManifestWriter.spec(shards, samples, extraction)
            : ManifestWriter.real(shards, samples, directory, name, plan.shardBytes()));
  }
}
