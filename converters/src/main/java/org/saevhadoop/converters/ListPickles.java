package org.saevhadoop.converters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.saevhadoop.format.activations.ActivationManifest;
import org.saevhadoop.format.activations.Difference;
import org.saevhadoop.format.activations.ManifestCheck;
import org.saevhadoop.format.activations.OpenShard;
import org.saevhadoop.format.activations.ShardDirectory;
import org.saevhadoop.format.activations.ShardFacts;
import org.saevhadoop.format.activations.ShardFile;
import org.saevhadoop.format.activations.ShardFiles;
import org.saevhadoop.format.activations.ShardSamples.Layer;
import org.saevhadoop.format.activations.ShardSamples.Sample;
import org.saevhadoop.format.activations.Spool;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.pickle.ArrayBytes;
import org.saevhadoop.format.pickle.Limits;

/**
 * Lists the arrays of pickled shards, each as it is recorded, and tells everything that is wrong
 * with the shards and with what metadata.json says of them.
 */
final class ListPickles {
  private static final List<Difference> NOTHING = List.of();

  private final ShardFiles files;
  private final boolean json;
  private final boolean digests;
  private final PrintWriter out;

  ListPickles(ShardFiles files, boolean json, boolean digests, PrintWriter out) {
    this.files = files;
    this.json = json;
    this.digests = digests;
    this.out = out;
  }

  /**
   * Lists them.
   *
   * @param warnings takes what a person should know
   * @param misfits takes the samples that say another shape than their array has
   * @return what else is wrong, though it can be read
   * @throws FormatException where a shard can not be read
   */
  List<FormatException> run(Consumer<String> warnings, Consumer<FormatException> misfits)
      throws IOException {
    List<FormatException> faults = new ArrayList<>();
    try (Spool spool = Spool.temporary(Path.of(System.getProperty("java.io.tmpdir")))) {
      for (ShardDirectory directory : files.directories()) {
        Optional<ActivationManifest> manifest = directory.manifest();
        List<ShardFacts> facts = new ArrayList<>();
        for (ShardFile file : directory.shards()) {
          facts.add(list(file, manifest, spool, faults, warnings, misfits));
        }
        for (Difference difference :
            manifest.isPresent() ? ManifestCheck.all(manifest.get(), facts) : NOTHING) {
          if (difference.losesData()) {
            faults.add(difference.exception());
          } else {
            warnings.accept(difference.exception().getMessage());
          }
        }
      }
    } finally {
      out.flush();
    }
    return faults;
  }

  private ShardFacts list(
      ShardFile file,
      Optional<ActivationManifest> manifest,
      Spool spool,
      List<FormatException> faults,
      Consumer<String> warnings,
      Consumer<FormatException> misfits)
      throws IOException {
    spool.clear();
    try (Input in = file.open()) {
      OpenShard shard = OpenShard.read(in, spool, Limits.DEFAULT);
      shard.samples().notes().forEach(note -> warnings.accept(in.path() + ": " + note));
      shard.samples().misfits().forEach(misfits);
      faults.addAll(shard.samples().faults());
      shard.checkAttributes();
      list(file.relativePath(), shard);
      boolean hasChecksum =
          manifest.isPresent()
              && manifest.get().shards().stream().anyMatch(entry -> entry.sha256() != null);
      return shard.facts(file, hasChecksum ? Digests.sha256(in) : null);
    }
  }

  private void list(String file, OpenShard shard) throws IOException {
    for (Layer layer : shard.samples().layers()) {
      for (Sample sample : layer.samples()) {
        print(file, layer.number(), sample, digests ? digest(shard, sample) : null);
      }
    }
  }

  private static String digest(OpenShard shard, Sample sample) throws IOException {
    MessageDigest sha256 = Digests.sha256();
    new ArrayBytes(shard.payloads()).copy(sample.array(), sha256::update);
    return HexFormat.of().formatHex(sha256.digest());
  }

  private void print(String file, int layer, Sample sample, String digest) {
    String dtype = sample.array().type().dtype().numpyName();
    String shape = Arrays.toString(sample.array().shape()).replace(" ", "");
    if (json) {
      String sha256 = digest == null ? "" : ",\"sha256\":\"" + digest + '"';
      out.printf(
          "{\"file\":%s,\"layer\":%d,\"sample_idx\":%d,\"shape\":%s,\"dtype\":\"%s\"%s}%n",
          OneLine.json(file), layer, sample.id(), shape, dtype, sha256);
    } else {
      String sha256 = digest == null ? "" : " " + digest;
      out.printf("%s %d %d %s %s%s%n", OneLine.of(file), layer, sample.id(), shape, dtype, sha256);
    }
  }
}
