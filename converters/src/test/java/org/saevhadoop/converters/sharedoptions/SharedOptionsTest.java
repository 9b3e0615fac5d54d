package org.saevhadoop.converters.sharedoptions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.sharedoptions.Choice.Stage;
import org.saevhadoop.format.TestExtent;

/**
 * The options that several verbs share, with each verb and a source of each form: values are those
 * that plain code computes from the activations in memory. {@code -Dsaev.seed} chooses other values
 * of the options and other combinations.
 */
@Tag("late")
@Tag("sampled")
class SharedOptionsTest {
  @FunctionalInterface
  interface Check {
    void run(Verbs verbs) throws IOException;
  }

  private static final Map<String, Check> VERBS = new LinkedHashMap<>();

  static {
    VERBS.put("convert", Verbs::convert);
    VERBS.put("shuffle", Verbs::shuffle);
    VERBS.put("stats", Verbs::stats);
    VERBS.put("digest", Verbs::digest);
    VERBS.put("verify", Verbs::verify);
    VERBS.put("diff", Verbs::diff);
    VERBS.put("list", Verbs::list);
    VERBS.put("cat", Verbs::cat);
    VERBS.put("inspect", Verbs::inspect);
    VERBS.put("bench", Verbs::bench);
  }

  /** The number of cases of a verb and a form. */
  private static final int EACH = TestExtent.of(1, 4);

  /** Each form has each third verb in a sample, and each verb has each third form. */
  private static final int EVERY = TestExtent.of(3, 1);

  private static final int COMBINATIONS = TestExtent.of(12, 300);

  private static final long SEED = Long.getLong("saev.seed", 1);

  record Case(String verb, SourceForm form, StoredType type, List<Choice> choices, int turn) {
    @Override
    public String toString() {
      return "%s %s %s %s".formatted(verb, form, type, choices);
    }
  }

  @TempDir Path folder;

  static List<Case> single() {
    Random random = new Random(SEED);
    List<Case> cases = new ArrayList<>();
    List<String> verbs = List.copyOf(VERBS.keySet());
    for (SourceForm form : SourceForm.values()) {
      for (int i = form.ordinal() % EVERY; i < verbs.size(); i += EVERY) {
        String verb = verbs.get(i);
        List<Case> own = new ArrayList<>();
        int turn = 0;
        for (List<Choice> choices : Table.of(form, verb, random)) {
          for (StoredType type : Table.types(form, choices, turn++)) {
            own.add(new Case(verb, form, type, choices, random.nextInt(1000)));
          }
        }
        Collections.shuffle(own, random);
        cases.addAll(own.subList(0, Math.min(EACH, own.size())));
      }
    }
    return cases;
  }

  static List<Case> combined() {
    Random random = new Random(SEED + 1);
    List<String> verbs = List.copyOf(VERBS.keySet());
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < COMBINATIONS; i++) {
      SourceForm form = SourceForm.values()[random.nextInt(SourceForm.values().length)];
      String verb = verbs.get(random.nextInt(verbs.size()));
      List<Choice> choices = Table.random(form, verb, random);
      List<StoredType> types = Table.types(form, choices);
      StoredType type = types.get(random.nextInt(types.size()));
      cases.add(new Case(verb, form, type, choices, random.nextInt(1000)));
    }
    return cases;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("single")
  void anOptionHasItsEffect(Case one) throws IOException {
    run(one, one.form.activations(one.type), VERBS.get(one.verb));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("combined")
  void optionsHaveTheirEffectsTogether(Case one) throws IOException {
    run(one, one.form.activations(one.type), VERBS.get(one.verb));
  }

  private void run(Case one, Activations stored, Check check) throws IOException {
    Path source = one.form.write(stored, Files.createDirectories(folder.resolve("source")));
    List<Choice> choices = new ArrayList<>();
    if (one.choices.stream().noneMatch(choice -> choice.stage() == Stage.TENSOR)) {
      choices.addAll(one.form.needs());
    }
    choices.addAll(one.form.needsOf(one.type));
    choices.addAll(one.choices);
    boolean masks = one.form.hasMasks() && choices.stream().noneMatch(c -> c.stage() == Stage.MASK);
    Activations expected = Choice.apply(choices, masks ? stored.masked("attention_mask") : stored);
    boolean hasType = choices.stream().anyMatch(c -> c.stage() == Stage.DTYPE);
    check.run(
        new Verbs(
            one.form,
            source,
            Choice.words(choices),
            one.type,
            expected,
            hasType,
            folder,
            one.turn));
  }

  static List<Case> parts() {
    Random random = new Random(SEED + 2);
    List<Case> cases = new ArrayList<>();
    for (SourceForm form : SourceForm.values()) {
      for (int i = 0; i < TestExtent.of(1, 4); i++) {
        List<StoredType> types = form.types().stream().filter(StoredType::isFloat).toList();
        StoredType type = types.get(random.nextInt(types.size()));
        List<Choice> choices = Table.random(form, "verify", random);
        cases.add(new Case("verify", form, type, choices, random.nextInt(1000)));
      }
    }
    return cases;
  }

  /** The value is in the part that the options select, or is not. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("parts")
  void aValueThatIsNoNumberIsFoundInThePart(Case one) throws IOException {
    int layer = one.form.layers().get(one.turn % 3);
    Activations stored = one.form.activations(one.type);
    run(one, stored.withNan(one.turn % 7, layer, one.turn / 7 % 2), Verbs::verifyNan);
  }

  @ParameterizedTest
  @EnumSource(names = "SAEV", mode = EnumSource.Mode.EXCLUDE)
  void theFirstTokenIsClsIfAskedFor(SourceForm form) throws IOException {
    List<Choice> choices =
        form.isRagged() || form.hasMasks() ? List.of(form.ragged().get(3)) : List.of();
    StoredType type = form.types().get(form.ordinal() % form.types().size());
    run(new Case("cls", form, type, choices, 0), form.activations(type), Verbs::cls);
  }

  static Stream<Case> foreign() {
    List<Case> cases = new ArrayList<>();
    for (SourceForm form : SourceForm.values()) {
      for (String verb : VERBS.keySet()) {
        form.foreign().stream()
            .filter(word -> !verb.equals("inspect") || !word.toString().startsWith("--tokens"))
            .forEach(word -> cases.add(new Case(verb, form, StoredType.F32, List.of(word), 0)));
      }
    }
    Collections.shuffle(cases, new Random(SEED + 3));
    return cases.stream().limit(TestExtent.of(15, cases.size()));
  }

  /** Either the command is refused, or a warning names the option. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("foreign")
  void anOptionThatAFormatLacksIsNotIgnored(Case one) throws IOException {
    Activations stored = one.form.activations(one.type);
    Path source = one.form.write(stored, Files.createDirectories(folder.resolve("source")));
    List<String> words = new ArrayList<>(Choice.words(one.form.needs()));
    if (one.form.isRagged()) {
      words.add("--ragged=flatten");
    }
    if (one.form.hasMasks()) {
      words.add("--mask=attention_mask=keep");
    }
    words.addAll(Choice.words(one.choices));
    List<Object> command = new ArrayList<>(List.of(one.verb, source));
    switch (one.verb) {
      case "convert", "shuffle" -> command.addAll(List.of(folder.resolve("out"), "--to=npy"));
      case "diff" -> command.add(source);
      case "cat" -> command.add("--examples=:");
      case "bench" -> command.addAll(List.of("--seconds=0.001", "--rounds=1"));
      default -> {}
    }
    Cli cli = Cli.run(command.toArray(), words);
    if (cli.exitCode() != 0) {
      Refusal.assertRefused(cli, one.toString());
    } else {
      String option = one.choices.get(0).words().get(0).replaceFirst("=.*", "");
      assertThat(cli.stderr()).as("%s", one).contains(option + " has no effect");
    }
  }
}
