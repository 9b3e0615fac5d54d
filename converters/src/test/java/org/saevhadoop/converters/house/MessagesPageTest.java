package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The page testing/message-templates.md lists the texts of all errors in data, by class, as
 * templates. {@code -Dsaev.docs.write=true} writes it.
 */
@Tag("late")
class MessagesPageTest {
  private static final Path PAGE = Path.of("../testing/message-templates.md");

  private static final String HEAD =
      """
      # Messages

      The texts of all errors in data, by the class that reports them, as templates: `%s`, `%d` and the
      like stand for values. The path of the file precedes each, and the name of the kind, if its
      format shows kinds. This page is generated from the sources by `MessagesPageTest`, which fails if
      it is out of date; `-Dsaev.docs.write=true` updates it.
      """;

  /** Methods of error kinds, and those of single classes that pass a template on to one. */
  private static final Set<String> METHODS =
      Set.of("in", "check", "fail", "error", "add", "problem", "loses", "warns", "wrong");

  private static final Pattern MESSAGE = Pattern.compile(".* .*");

  private static final class Templates extends TreeScanner<Void, Set<String>> {
    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Set<String> found) {
      if (METHODS.contains(name(call.getMethodSelect()))) {
        call.getArguments().stream()
            .map(Templates::text)
            .filter(text -> text != null && MESSAGE.matcher(text).matches())
            .findFirst()
            .ifPresent(text -> found.add(kind(call.getMethodSelect()) + text));
      }
      return super.visitMethodInvocation(call, found);
    }

    private static String name(ExpressionTree select) {
      String text = select.toString();
      return text.substring(text.lastIndexOf('.') + 1);
    }

    private static String kind(ExpressionTree select) {
      if (select instanceof MemberSelectTree member) {
        String receiver = member.getExpression().toString();
        String last = receiver.substring(receiver.lastIndexOf('.') + 1);
        return last.matches("[A-Z]\\w+") ? last + ": " : "";
      }
      return "";
    }

    /** Returns the value of a text that is a constant; null if it is another expression. */
    private static String text(Tree tree) {
      if (tree instanceof LiteralTree literal) {
        return literal.getValue() instanceof String text ? text : null;
      }
      if (tree instanceof ParenthesizedTree inner) {
        return text(inner.getExpression());
      }
      if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
        String left = text(sum.getLeftOperand());
        String right = text(sum.getRightOperand());
        return left == null || right == null ? null : left + right;
      }
      return null;
    }
  }

  private static String page() throws IOException {
    Map<String, Set<String>> byClass = new TreeMap<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(RoomsTest.files("main")));
      for (var unit : task.parse()) {
        String type = Path.of(unit.getSourceFile().toUri()).getFileName().toString();
        Set<String> found = new TreeSet<>();
        unit.accept(new Templates(), found);
        if (!found.isEmpty()) {
          byClass.put(unit.getPackageName() + "." + type.replace(".java", ""), found);
        }
      }
    }
    return HEAD
        + byClass.entrySet().stream()
            .map(
                entry ->
                    entry.getValue().stream()
                        .map(text -> "    " + text.replace("\n", "\\n") + "\n")
                        .collect(
                            Collectors.joining(
                                "", "\n`" + entry.getKey().substring(15) + "`\n\n", "")))
            .collect(Collectors.joining());
  }

  @Test
  void thePageHasTheTemplatesOfAllErrors() throws IOException {
    String page = page();
    if (Boolean.getBoolean("saev.docs.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(page).isEqualTo(Files.readString(PAGE));
    assertThat(page).contains("MISSING_FIELD: field %s is missing (expected in SAEV metadata %s)");
  }
}
