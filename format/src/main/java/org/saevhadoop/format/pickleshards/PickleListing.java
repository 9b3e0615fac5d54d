package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest;
import org.saevhadoop.format.pickleshards.directory.ManifestCheck;
import org.saevhadoop.format.pickleshards.directory.ManifestMismatch;
import org.saevhadoop.format.pickleshards.directory.ShardDirectory;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.spi.RecordedArrays.Recorded;

/**
 * Lists the arrays of pickled shards as they are recorded, and reports all problems of the shards
 * and all contradictions between them and metadata.json.
 */
record PickleListing(ShardFiles files, boolean digests, Consumer<Recorded> visitor) {
  /**
   * Lists all arrays.
   *
   * @param warnings accepts warnings for the user
   * @param misfits accepts an error for each sample whose stated shape differs from the shape of
   *     its array
   * @return the other problems that do not prevent reading the arrays
   * @throws FormatException if a shard cannot be read
   */
  List<FormatException> run(Consumer<String> warnings, Consumer<FormatException> misfits)
      throws IOException {
    List<FormatException> faults = new ArrayList<>();
    try (LocalSpool spool = LocalSpool.temporary(Path.of(System.getProperty("java.io.tmpdir")))) {
      for (ShardDirectory directory : files.directories()) {
        Optional<ActivationManifest> manifest = directory.manifest();
        List<ShardFacts> facts = new ArrayList<>();
        for (ShardFile file : directory.shards()) {
          facts.add(list(file, manifest, spool, faults, warnings, misfits));
        }
        for (ManifestMismatch difference :
            manifest.map(it -> ManifestCheck.all(it, facts)).orElse(List.of())) {
          if (difference.losesData()) {
            faults.add(difference.exception());
          } else {
            warnings.accept(difference.exception().getMessage());
          }
        }
      }
    }
    return faults;
  }

  private ShardFacts list(
      ShardFile file,
      Optional<ActivationManifest> manifest,
      LocalSpool spool,
      List<FormatException> faults,
      Consumer<String> warnings,
      Consumer<FormatException> misfits)
      throws IOException {
    spool.clear();
    try (Input in = file.open()) {
      OpenShard shard = OpenShard.read(in, spool, PickleLimits.DEFAULT);
      shard.samples().notes().forEach(warnings);
      shard.samples().misfits().forEach(misfits);
      faults.addAll(shard.samples().faults());
      shard.checkSampleMetadata();
      list(file.relativePath(), shard);
      boolean hasChecksum =
          manifest.isPresent()
              && manifest.get().shards().stream().anyMatch(entry -> entry.sha256() != null);
      String sha256 = hasChecksum ? Sha256.of(in.length(), in::readFully) : null;
      return shard.facts(file.name(), file.bytes(), sha256);
    }
  }

  private void list(String file, OpenShard shard) throws IOException {
    for (Layer layer : shard.samples().layers()) {
      for (Sample sample : layer.samples()) {
        PythonValue.NumpyArray array = sample.array();
        visitor.accept(
            new Recorded(
                file,
                layer.number(),
                sample.id(),
                array.shape(),
                sample.dtype().numpyName(),
                array.type().descr(),
                digests ? digest(shard, array) : null));
      }
    }
  }

  private static String digest(OpenShard shard, PythonValue.NumpyArray array) throws IOException {
    MessageDigest sha256 = Sha256.digest();
    new ArrayBytes(shard.payloads()).copy(array, sha256::update);
    return Sha256.text(sha256);
  }
}
