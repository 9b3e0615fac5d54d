package org.saevhadoop.format.samediff;

import static org.saevhadoop.format.samediff.RuleLevel.rule;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.format.samediff.RealGraph.Variable;

/**
 * Checks files against what the loaders of SameDiff demand: SameDiffSerializer and SDZSerializer of
 * deeplearning4j in Java (2026 and 2025), its C++ reader, and the Verifier of FlatBuffers. It
 * shares no code with what it checks, and reads with java.io, java.util.zip and a ByteBuffer.
 *
 * <p>The path is that of an SDNB file, of an SDZ file, or, for shards, that which is given to the
 * loader: {@code dir/base} or {@code dir/base.sdnb} for {@code dir/base.shard0-of-3.sdnb} and so
 * on. Files must fit into memory.
 */
public final class RealLoaderRules {
  private static final String SUFFIX = ".sdnb";
  private static final Pattern SHARD = Pattern.compile("\\.shard(0|[1-9]\\d*)-of-(\\d+)\\.sdnb");
  private static final int ZIP = 0x504b0304;

  private RealLoaderRules() {}

  /**
   * Checks files of any writer.
   *
   * @return the arrays in the order of the variables; their types and values are as they are
   *     stored, where loaders change them (inline HALF, BFLOAT16, and scalars of some types)
   * @throws AssertionError with the rule that is broken
   */
  public static List<RealArray> ofAny(Path path) throws IOException {
    return check(path, RuleLevel.ANY);
  }

  /**
   * Checks files of our writer, in which nothing may depend on the loader.
   *
   * @return the arrays in the order of the variables
   * @throws AssertionError with the rule that is broken
   */
  public static List<RealArray> ofOurs(Path path) throws IOException {
    return check(path, RuleLevel.OURS);
  }

  private static List<RealArray> check(Path path, RuleLevel level) throws IOException {
    String name = path.getFileName().toString();
    if (Files.isRegularFile(path) && isZip(path)) {
      return SdzRules.check(path, level);
    }
    // loaders cut the name at its last dot
    int dot = name.lastIndexOf('.');
    String base = dot < 0 ? name : name.substring(0, dot);
    Map<String, ByteBuffer> shards = new TreeMap<>();
    try (Stream<Path> files = Files.list(path.toAbsolutePath().getParent())) {
      for (Path file : files.sorted().toList()) {
        String found = file.getFileName().toString();
        if (found.startsWith(base + ".shard") && found.endsWith(SUFFIX)) {
          shards.put(found, map(file));
        }
      }
    }
    if (Files.isRegularFile(path)) {
      rule(shards.isEmpty(), "no shards are beside a file", shards.keySet());
      return single(map(path), level);
    }
    rule(!base.contains("."), "the name of shards has no dot", base);
    rule(dot < 0 || name.endsWith(SUFFIX), "the name of shards has no dot", name);
    rule(!shards.isEmpty(), "a file or shards have this name", path);
    return shards(base, shards, level);
  }

  private static boolean isZip(Path path) throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(4);
    try (FileChannel file = FileChannel.open(path)) {
      return file.read(magic, 0) == 4 && magic.getInt(0) == ZIP;
    }
  }

  private static ByteBuffer map(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      rule(file.size() <= Integer.MAX_VALUE, "a file is smaller than 2 GiB", path);
      return file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
    }
  }

  /** Checks a file that is no shard. */
  static List<RealArray> single(ByteBuffer file, RuleLevel level) {
    SdnbRules rules = SdnbRules.check(file, level);
    for (Variable variable : rules.graph().variables()) {
      rule(
          !variable.hasValues() || variable.array() != null,
          "variables and constants have values",
          variable);
    }
    rule(
        !rules.graph().metadata().containsKey("shard.type"),
        "a file without others is no shard",
        rules.graph().metadata());
    return List.copyOf(rules.arrays().values());
  }

  /**
   * Checks shards.
   *
   * @param base their common name
   * @param files their bytes, by their names
   */
  static List<RealArray> shards(String base, Map<String, ByteBuffer> files, RuleLevel level) {
    Map<Integer, SdnbRules> shards = new TreeMap<>();
    for (Map.Entry<String, ByteBuffer> file : files.entrySet()) {
      Matcher shard = SHARD.matcher(file.getKey().substring(base.length()));
      rule(shard.matches(), "shards are named base.shardI-of-N.sdnb", file.getKey());
      int index = Integer.parseInt(shard.group(1));
      rule(
          Integer.parseInt(shard.group(2)) == files.size(),
          "there are as many shards as in each name",
          files.keySet());
      rule(index < files.size(), "shards are numbered from 0 to N - 1", file.getKey());
      SdnbRules rules = SdnbRules.check(file.getValue(), level);
      checkType(rules, index);
      shards.put(index, rules);
    }
    rule(files.size() > 1, "the graph and its arrays are in shards of their own", files.keySet());
    return joined(shards);
  }

  private static void checkType(SdnbRules shard, int index) {
    String type = shard.graph().metadata().get("shard.type");
    rule((index == 0 ? "graph" : "weights").equals(type), "shards have their type", type);
    String number = shard.graph().metadata().get("shard.index");
    rule(number == null || number.equals(String.valueOf(index)), "shards have their index", number);
  }

  private static List<RealArray> joined(Map<Integer, SdnbRules> shards) {
    SdnbRules graph = shards.get(0);
    rule(graph.appended().isEmpty(), "the manifest of shard 0 is empty", graph.appended());
    rule(graph.arrays().isEmpty(), "shard 0 has no arrays", graph.arrays().keySet());
    Map<String, Variable> variables = new LinkedHashMap<>();
    graph.graph().variables().forEach(variable -> variables.put(variable.name(), variable));
    Map<String, RealArray> arrays = new LinkedHashMap<>();
    for (int i = 1; i < shards.size(); i++) {
      SdnbRules shard = shards.get(i);
      for (Variable variable : shard.graph().variables()) {
        Variable declared = variables.get(variable.name());
        rule(declared != null, "variables of shards are in shard 0", variable);
        rule(variable.array() != null, "shards list only variables that they hold", variable);
        rule(
            declared.dtype() == variable.dtype() && declared.type() == variable.type(),
            "shards agree on types",
            declared + " " + variable);
        rule(
            declared.shape() == null || declared.shape().equals(variable.array().shape()),
            "shards agree on shapes",
            declared + " " + variable);
        RealArray previous = arrays.put(variable.name(), shard.arrays().get(variable.name()));
        rule(previous == null, "an array is in one shard", variable);
      }
    }
    List<RealArray> ordered = new ArrayList<>();
    for (Variable variable : variables.values()) {
      rule(
          !variable.hasValues() || arrays.containsKey(variable.name()),
          "variables and constants have values",
          variable);
      if (variable.hasValues()) {
        ordered.add(arrays.get(variable.name()));
      }
    }
    return ordered;
  }
}
