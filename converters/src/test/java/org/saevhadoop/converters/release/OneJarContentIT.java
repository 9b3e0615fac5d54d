package org.saevhadoop.converters.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.saevhadoop.format.Corpus;

/** What the one jar says of the libraries in it. */
class OneJarContentIT {
  private static final String SBOM = "META-INF/sbom/saev-hadoop.cdx.json";

  /** JVMS 17, table 4.1-A. */
  private static final int JAVA_8 = 52;

  private static final String LICENSES = "META-INF/licenses/";

  /** Libraries that parquet-java's jars contain. */
  private static final List<String> INSIDE_PARQUET =
      List.of("fastutil", "libthrift", "zero-allocation-hashing");

  private static final Pattern LICENSE_NAME =
      Pattern.compile(
          "Apache License|MIT License|opensource\\.org/licenses/bsd-license|Eclipse Distribution");

  private static final Pattern PACKAGE =
      Pattern.compile("org/saevhadoop/shaded/(parquet/shaded/(?:[a-z]+/){2}[a-z]+|[a-z]+)/.*");

  private JarFile jar;

  @BeforeEach
  void open() throws IOException {
    jar = new JarFile(Corpus.checkout().resolve("converters/target/saev-hadoop.jar").toFile());
  }

  @AfterEach
  void close() throws IOException {
    jar.close();
  }

  @Test
  void eachLibraryHasItsLicense() throws IOException {
    List<String> libraries = new ArrayList<>(INSIDE_PARQUET);
    ResolvedDependency.shipped().forEach(library -> libraries.add(library.artifact()));
    assertThat(libraries)
        .allSatisfy(
            library ->
                assertThat(text(license(library)))
                    .as("the license of " + library)
                    .containsPattern(LICENSE_NAME));
    assertThat(jar.stream().map(JarEntry::getName))
        .filteredOn(name -> name.startsWith(LICENSES) && name.matches(".*/LICENSE(\\.txt)?"))
        .as("licenses of libraries in the jar only")
        .hasSameSizeAs(libraries);
  }

  /** Includes notices of libraries that other libraries contain, such as those in jackson-core. */
  @Test
  void licensesAndNoticesInTheLibrariesAreKept() throws IOException {
    for (ResolvedDependency library : ResolvedDependency.shipped()) {
      try (JarFile origin = new JarFile(library.file().toFile())) {
        List<JarEntry> texts =
            origin.stream()
                .filter(entry -> entry.getName().matches("META-INF/[^/]*(LICENSE|NOTICE)[^/]*"))
                .toList();
        for (JarEntry text : texts) {
          String name = text.getName().replace("META-INF/", LICENSES + library.artifact() + "/");
          assertThat(text(name)).isEqualTo(text(origin, text.getName()));
        }
      }
    }
  }

  @Test
  void itsOwnLicenseAndNoticeAreThoseOfTheProject() throws IOException {
    for (String name : List.of("LICENSE", "NOTICE")) {
      assertThat(text("META-INF/" + name))
          .isEqualTo(Files.readString(Corpus.checkout().resolve(name)));
    }
  }

  /** A library that is in the jar but is not listed would go without license and SBOM entry. */
  @Test
  void itContainsNoOtherLibraries() {
    List<String> packages =
        jar.stream()
            .map(entry -> PACKAGE.matcher(entry.getName()))
            .filter(Matcher::matches)
            .map(matcher -> matcher.group(1))
            .distinct()
            .toList();
    assertThat(packages)
        .containsExactlyInAnyOrder(
            "jackson",
            "picocli",
            "progressbar",
            "jline",
            "flatbuffers",
            "jts",
            "compress",
            "commonsio",
            "parquet",
            "parquet/shaded/it/unimi/dsi",
            "parquet/shaded/net/openhft/hashing",
            "parquet/shaded/org/apache/thrift");
    assertThat(jar.stream().map(JarEntry::getName))
        .filteredOn(name -> name.endsWith(".class"))
        .allMatch(name -> name.startsWith("org/saevhadoop/"));
  }

  /** Of commons-compress and commons-io, the jar has only what the writer of ZIP needs. */
  @Test
  void theWriterOfZipHasAllClassesToWhichItRefers() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    PrintStream print = new PrintStream(out, false, UTF_8);
    String callers = "-include=org\\.saevhadoop\\.shaded\\.com.*";
    assertThat(jdeps.run(print, print, "--multi-release=base", "-v", callers, jar.getName()))
        .isZero();
    assertThat(out.toString(UTF_8).lines().map(String::strip))
        .filteredOn(line -> line.startsWith("org.saevhadoop.shaded.com"))
        .anyMatch(line -> line.startsWith("org.saevhadoop.shaded.compress."))
        .anyMatch(line -> line.startsWith("org.saevhadoop.shaded.commonsio."))
        .noneMatch(line -> line.endsWith("not found"));
  }

  /** Older JVMs load it and its nested classes, to say that they are too old. */
  @Test
  void theClassInItsManifestIsOfJava8() throws IOException {
    String name = jar.getManifest().getMainAttributes().getValue("Main-Class").replace('.', '/');
    List<JarEntry> classes =
        jar.stream().filter(e -> e.getName().matches(name + "(\\$.*)?\\.class")).toList();
    assertThat(classes).isNotEmpty();
    for (JarEntry entry : classes) {
      try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
        in.skipNBytes(6);
        assertThat(in.readUnsignedShort()).as(entry.getName()).isEqualTo(JAVA_8);
      }
    }
  }

  @Test
  @Tag("long")
  void theSbomListsTheLibrariesWithTheirDigests() throws IOException {
    boolean offline = jar.getEntry(SBOM) == null && !"true".equals(System.getenv("CI"));
    assumeFalse(offline, "the plugin makes no SBOM in a build with mvn --offline");
    JsonNode bom = new ObjectMapper().readTree(text(SBOM));
    assertThat(bom.get("bomFormat").textValue()).isEqualTo("CycloneDX");
    List<String> components = new ArrayList<>();
    for (JsonNode component : bom.get("components")) {
      if (!component.get("group").textValue().equals("org.saevhadoop")) {
        components.add(
            component.get("group").textValue()
                + ":"
                + component.get("name").textValue()
                + ":jar:"
                + component.get("version").textValue()
                + " "
                + digest(component));
      }
    }
    List<String> libraries = new ArrayList<>();
    for (ResolvedDependency library : ResolvedDependency.shipped()) {
      libraries.add(library.coordinates() + " " + library.fileDigest());
    }
    assertThat(components).containsExactlyInAnyOrderElementsOf(libraries);
  }

  private static String digest(JsonNode component) {
    for (JsonNode hash : component.get("hashes")) {
      if (hash.get("alg").textValue().equals("SHA-256")) {
        return hash.get("content").textValue();
      }
    }
    throw new AssertionError("no SHA-256 in " + component);
  }

  /** Apache Commons gives the file an extension. */
  private String license(String library) {
    String name = LICENSES + library + "/LICENSE";
    return jar.getEntry(name) == null ? name + ".txt" : name;
  }

  private String text(String name) throws IOException {
    return text(jar, name);
  }

  private static String text(JarFile file, String name) throws IOException {
    JarEntry entry = file.getJarEntry(name);
    assertThat(entry).as(name).isNotNull();
    try (InputStream in = file.getInputStream(entry)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
