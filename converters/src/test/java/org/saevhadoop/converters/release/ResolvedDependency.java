package org.saevhadoop.converters.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.saevhadoop.format.Corpus;
import org.saevhadoop.format.io.Sha256;

/**
 * A dependency that Maven has resolved.
 *
 * @param coordinates {@code group:artifact:type[:classifier]:version}
 */
record ResolvedDependency(String coordinates, String scope, Path file) {
  private static final Pattern ROW =
      Pattern.compile(
          "\\s+((?:[^:]+:){3,4}[^:]+):(compile|runtime|provided|test|system):(.+?)(?: -- .*)?");

  /** Of files that several modules need, as all need Hadoop. */
  private static final Map<Path, String> DIGESTS = new ConcurrentHashMap<>();

  private static final String COLORS = "\u001b\\[[0-9;]*m";

  /** Returns the dependencies of a module, from the output of {@code dependency:list}. */
  static List<ResolvedDependency> of(String module) throws IOException {
    Path list = Corpus.checkout().resolve(module).resolve("target").resolve("dependencies.txt");
    assertThat(list).as("run mvn verify in the root of the checkout").exists();
    List<ResolvedDependency> found = new ArrayList<>();
    for (String line : Files.readAllLines(list)) {
      Matcher row = ROW.matcher(line.replaceAll(COLORS, ""));
      if (row.matches()) {
        found.add(new ResolvedDependency(row.group(1), row.group(2), Path.of(row.group(3))));
      }
    }
    assertThat(found).as(list.toString()).isNotEmpty();
    return found;
  }

  /** Returns the dependencies that the one jar contains. */
  static List<ResolvedDependency> shipped() throws IOException {
    return of("converters").stream()
        .filter(dependency -> List.of("compile", "runtime").contains(dependency.scope))
        .toList();
  }

  /** Returns the jars that the archive has for machines without Hadoop, by their names. */
  static List<ResolvedDependency> archived() throws IOException {
    try (Stream<Path> jars = Files.list(Corpus.checkout().resolve("converters/target/lib"))) {
      return jars.map(jar -> new ResolvedDependency("" + jar.getFileName(), "archive", jar))
          .toList();
    }
  }

  /** Returns {@code group:artifact:version} of each other library that states it in the jar. */
  List<String> inside() throws IOException {
    List<String> libraries = new ArrayList<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (!entry.getName().endsWith("/pom.properties")) {
          continue;
        }
        Properties pom = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
          pom.load(in);
        }
        String artifact = pom.getProperty("artifactId") + ":" + pom.getProperty("version");
        if (!fileName().equals(artifact.replace(':', '-') + ".jar")) {
          libraries.add(pom.getProperty("groupId") + ":" + artifact);
        }
      }
    }
    return libraries;
  }

  String fileName() {
    return file.getFileName().toString();
  }

  String artifact() {
    return coordinates.split(":")[1];
  }

  /** Returns the SHA-256 of the file, in hexadecimal digits. */
  String fileDigest() {
    return DIGESTS.computeIfAbsent(file, ResolvedDependency::sha256);
  }

  private static String sha256(Path file) {
    try {
      return HexFormat.of().formatHex(Sha256.of(ByteBuffer.wrap(Files.readAllBytes(file))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
